/**
 * What the sandbox does with a withdrawal, as data. As with payments, the last two digits of the requested amount in minor units
 * choose a row. The same table for people is in docs/sandbox.md. A test keeps both equal.
 */
import type { DeclineCause } from '@opencashier/contract/api';
import type { WithdrawalReport } from '../../withdrawal-provider.ts';
import type { CreateAnswer, PlannedCallback } from '../payments/scenarios.ts';
import type { SandboxText } from '../words/texts.ts';

export interface PlannedPayoutFact {
  readonly outcome: WithdrawalReport['outcome'];
  /** Milliseconds after the request. */
  readonly afterMs: number;
  readonly reason?: string;
  readonly message?: SandboxText;
  readonly callbacks: readonly PlannedCallback[];
}

export interface PayoutScenario {
  readonly name: string;
  /** Absent on the row for all other amounts. */
  readonly ending?: number;
  /** For testers, in English. */
  readonly summary: string;
  readonly answer: CreateAnswer;
  readonly facts: readonly PlannedPayoutFact[];
}

const now = [{ afterMs: 0 }] as const;
const paidNow: PlannedPayoutFact = { outcome: 'paid', afterMs: 0, callbacks: now };

function accepted(
  ending: number,
  name: string,
  summary: string,
  facts: readonly PlannedPayoutFact[],
): PayoutScenario & { readonly ending: number } {
  return { ending, name, summary, answer: { kind: 'accept' }, facts };
}

function declined(ending: number, name: string, summary: string, code: string, message?: SandboxText): PayoutScenario {
  return {
    ending,
    name,
    summary,
    answer: { kind: 'decline', code, ...(message !== undefined && { message }) },
    facts: [{ outcome: 'declined', afterMs: 0, reason: code, callbacks: [] }],
  };
}

/** The company's reasons that the user can act on. The user is not told the others, such as a risk check. */
const CAUSES: Readonly<Record<string, DeclineCause>> = {
  'account-invalid': 'account-details',
  'account-closed': 'account-closed',
  'limit-exceeded': 'limit',
  'name-mismatch': 'name-mismatch',
  'bank-unavailable': 'bank-unavailable',
};

export const causeOfReason = (reason: string | undefined): DeclineCause | undefined =>
  reason !== undefined && Object.hasOwn(CAUSES, reason) ? CAUSES[reason] : undefined;

export const usualPayout: PayoutScenario = {
  name: 'paid-after-3-s',
  summary: 'Accepted, and paid 3 seconds later.',
  answer: { kind: 'accept' },
  facts: [{ ...paidNow, afterMs: 3_000 }],
};

export const endingPayouts: readonly PayoutScenario[] = [
  declined(1, 'declined-at-submit', 'Declined at once: the account is closed.', 'account-closed'),
  {
    ending: 2,
    name: 'provider-error',
    summary: 'The provider has an error and charges nothing.',
    answer: { kind: 'fail', code: 'sandbox-unavailable' },
    facts: [],
  },
  {
    ...accepted(3, 'unknown-then-paid', 'No response and no callback. A later status request says paid.', [
      { ...paidNow, callbacks: [] },
    ]),
    answer: { kind: 'hang', isUnreachableAfter: false },
  },
  {
    ...accepted(4, 'unknown-for-ever', 'No response. Later status requests fail, too.', []),
    answer: { kind: 'hang', isUnreachableAfter: true },
  },
  accepted(5, 'paid-at-once', 'Paid at once.', [paidNow]),
  accepted(6, 'paid-after-6-s', 'Paid 6 seconds after the submit.', [{ ...paidNow, afterMs: 6_000 }]),
  accepted(8, 'duplicate-callbacks', 'Paid. The same callback is sent three times, two of them at the same moment.', [
    { ...paidNow, callbacks: [{ afterMs: 0 }, { afterMs: 0 }, { afterMs: 2_000 }] },
  ]),
  accepted(9, 'out-of-order-callbacks', 'Paid. The callback “pending” is sent after the callback “paid”.', [
    { outcome: 'pending', afterMs: 0, callbacks: [{ afterMs: 1_000 }] },
    paidNow,
  ]),
  accepted(10, 'declined-later', 'Accepted, and declined 2 seconds later. The hold is released.', [
    { outcome: 'declined', afterMs: 2_000, reason: 'account-closed', callbacks: now },
  ]),
  accepted(11, 'forged-callback-first', 'Paid. A callback with a forged signature is sent before the genuine one.', [
    { ...paidNow, callbacks: [{ afterMs: 0, isForged: true }, { afterMs: 1_000 }] },
  ]),
  accepted(12, 'paid-after-decline', 'Accepted, declined 2 seconds later, and paid 3 seconds after that.', [
    { outcome: 'declined', afterMs: 2_000, reason: 'bank-unavailable', callbacks: now },
    { ...paidNow, afterMs: 5_000 },
  ]),
  accepted(13, 'paid-then-returned', 'Paid at once, and returned 10 seconds later.', [
    paidNow,
    { outcome: 'returned', afterMs: 10_000, reason: 'account-closed', callbacks: now },
  ]),
  declined(
    14,
    'message-for-the-person',
    'Declined with a message for the user.',
    'banking.merchantClientError',
    'message.bankRefuses',
  ),
  declined(15, 'wrong-details', 'Declined at once: the account does not exist.', 'account-invalid'),
  declined(16, 'over-limit', 'Declined at once: the amount is above the account’s limit.', 'limit-exceeded'),
  declined(17, 'other-name', 'Declined at once: the account is in another name.', 'name-mismatch'),
  declined(18, 'bank-unavailable', 'Declined at once: the bank is unavailable.', 'bank-unavailable'),
  accepted(19, 'message-later', 'Accepted, and declined 2 seconds later with a message for the user.', [
    { outcome: 'declined', afterMs: 2_000, reason: 'bank-refuses', message: 'message.bankRefuses', callbacks: now },
  ]),
];

const byEnding = new Map(endingPayouts.map((scenario) => [scenario.ending, scenario]));
const byName = new Map([usualPayout, ...endingPayouts].map((scenario) => [scenario.name, scenario]));

/** The row of a requested amount in minor units, whatever the decimals of the currency. */
export function payoutScenarioOf(amountMinor: bigint): PayoutScenario {
  return byEnding.get(Number(amountMinor % 100n)) ?? usualPayout;
}

/** The row of a stored payout. @throws RangeError for an unknown name */
export function payoutScenarioNamed(name: string): PayoutScenario {
  const scenario = byName.get(name);
  if (scenario === undefined) throw new RangeError(`The sandbox has no payout scenario ${name}`);
  return scenario;
}
