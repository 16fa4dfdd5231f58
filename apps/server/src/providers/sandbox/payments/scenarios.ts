/**
 * What the sandbox does with a payment, as data. The last two digits of the amount in minor units choose a row, as test cards do at
 * card processors. So a test or a demo can be repeated: 25.05 USD and 0.00100005 BTC are both approved at once.
 * The same table for people is in docs/sandbox.md. A test keeps both equal.
 */
import type { DepositReport } from '../../provider.ts';
import type { SandboxText } from '../words/texts.ts';

export type Outcome = Exclude<DepositReport['outcome'], 'vanished'>;

/** What can be wrong with the sandbox's answer to a create. */
export type Malformation = 'missing-card' | 'no-timing' | 'null-data' | 'dead-link' | 'script-link' | 'html-in-texts';

/** One callback about a fact. */
export interface PlannedCallback {
  /** Milliseconds after the fact. */
  readonly afterMs: number;
  /** Signed with a key that nobody has. The cashier must refuse it, and still accept the genuine one with the same id. */
  readonly isForged?: boolean;
}

/** An event of a payment. It happens when its time comes, without anybody's action. */
export interface PlannedFact {
  readonly outcome: Outcome;
  /** Milliseconds after the payment was created or the person decided. */
  readonly afterMs: number;
  /** How much was paid, where the outcome moves money. `chosen` is the amount that the person typed on the page. */
  readonly paid?: 'all' | 'half' | 'chosen';
  readonly reason?: string;
  /** Peer-to-peer: the company's status word, where it is not the outcome's usual one. */
  readonly remoteStatus?: string;
  /** Crypto: the confirmations. Absent: as many as a credit needs. */
  readonly confirmations?: number;
  /** Crypto: the number of the transfer to the address. Absent: 1. */
  readonly transfer?: number;
  readonly callbacks: readonly PlannedCallback[];
}

/** The answer of `create`. `hang` keeps the caller waiting and leaves the outcome unknown. */
export type CreateAnswer =
  | { readonly kind: 'accept' }
  /** `message` is shown to the payer. */
  | { readonly kind: 'decline'; readonly code: string; readonly message?: SandboxText }
  | { readonly kind: 'fail'; readonly code: string }
  | { readonly kind: 'hang'; readonly isUnreachableAfter: boolean };

export interface Scenario {
  readonly name: string;
  /** The last two digits of the minor units. Absent on the row for all other amounts. */
  readonly ending?: number;
  /** For testers, in English. */
  readonly summary: string;
  readonly answer: CreateAnswer;
  /** Whether a person decides on the pay page. Otherwise the `facts` happen by themselves. */
  readonly hasPage: boolean;
  readonly facts: readonly PlannedFact[];
  /** Replaces whatever the person chooses on the page. */
  readonly factsAfterPage?: readonly PlannedFact[];
  /** A note on the pay page. */
  readonly note?: SandboxText;
  /** What is wrong with the answer to the create. */
  readonly malformation?: Malformation;
  /** The company declines each refund of the payment. */
  readonly isRefundDeclined?: boolean;
  /** Seconds until an unpaid payment expires. Absent: the lifetime of its flow. */
  readonly lifetimeSeconds?: number;
}

/** How long a hanging create keeps its caller waiting, in milliseconds. */
export const HANG_MS = 3_000;

const now = [{ afterMs: 0 }] as const;
const paidNow: PlannedFact = { outcome: 'paid', afterMs: 0, paid: 'all', callbacks: now };
const accept: CreateAnswer = { kind: 'accept' };

function automatic(ending: number, name: string, summary: string, facts: readonly PlannedFact[]): Scenario {
  return { ending, name, summary, answer: accept, hasPage: false, facts };
}

function refused(ending: number, name: string, summary: string, answer: CreateAnswer): Scenario {
  const facts: readonly PlannedFact[] =
    answer.kind === 'decline' ? [{ outcome: 'declined', afterMs: 0, reason: answer.code, callbacks: [] }] : [];
  return { ending, name, summary, answer, hasPage: false, facts };
}

export const pageScenario: Scenario = {
  name: 'page',
  summary: 'A person decides on the pay page.',
  answer: accept,
  hasPage: true,
  facts: [],
};

function malformed(ending: number, malformation: Malformation, summary: string): Scenario {
  return { ...pageScenario, ending, name: malformation, summary, malformation };
}

function declined(ending: number, reason: string): Scenario {
  return automatic(ending, reason, `Declined after the create: ${reason.replaceAll('-', ' ')}.`, [
    { outcome: 'declined', afterMs: 0, reason, callbacks: now },
  ]);
}

export const endingScenarios: readonly Scenario[] = [
  refused(1, 'declined-at-create', 'Declined at once: insufficient funds.', {
    kind: 'decline',
    code: 'insufficient-funds',
  }),
  refused(2, 'provider-error', 'The provider has an error and charges nothing.', {
    kind: 'fail',
    code: 'sandbox-unavailable',
  }),
  {
    ...automatic(3, 'unknown-then-paid', 'No response and no callback. A later status request says paid.', [
      { ...paidNow, callbacks: [] },
    ]),
    answer: { kind: 'hang', isUnreachableAfter: false },
  },
  {
    ...automatic(4, 'unknown-for-ever', 'No response. Later status requests fail, too.', []),
    answer: { kind: 'hang', isUnreachableAfter: true },
  },
  automatic(5, 'approved-at-once', 'Approved at once, without a page.', [paidNow]),
  automatic(6, 'approved-after-6-s', 'Approved 6 seconds after the create.', [{ ...paidNow, afterMs: 6_000 }]),
  automatic(7, 'paid-half', 'Half of the amount is paid, rounded down to a minor unit.', [
    { ...paidNow, paid: 'half' },
  ]),
  automatic(
    8,
    'duplicate-callbacks',
    'Approved. The same callback is sent three times, two of them at the same moment.',
    [{ ...paidNow, callbacks: [{ afterMs: 0 }, { afterMs: 0 }, { afterMs: 2_000 }] }],
  ),
  automatic(9, 'out-of-order-callbacks', 'Approved. The callback “pending” is sent after the callback “paid”.', [
    { outcome: 'pending', afterMs: 0, callbacks: [{ afterMs: 1_000 }] },
    paidNow,
  ]),
  {
    ...pageScenario,
    ending: 10,
    name: 'declined-after-page',
    summary: 'Declined, whatever the payer chooses on the page.',
    note: 'page.declinedAnyway',
    factsAfterPage: [{ outcome: 'declined', afterMs: 0, reason: 'declined-by-issuer', callbacks: now }],
  },
  automatic(
    11,
    'forged-callback-first',
    'Approved. A callback with a forged signature is sent before the genuine one.',
    [{ ...paidNow, callbacks: [{ afterMs: 0, isForged: true }, { afterMs: 1_000 }] }],
  ),
  {
    ...automatic(12, 'expired', 'Nobody pays. The payment expires after 15 seconds.', [
      { outcome: 'expired', afterMs: 15_000, reason: 'expired', callbacks: now },
    ]),
    lifetimeSeconds: 15,
  },
  automatic(13, 'paid-then-reversed', 'Approved at once and reversed 10 seconds later.', [
    paidNow,
    { outcome: 'reversed', afterMs: 10_000, paid: 'all', reason: 'chargeback', callbacks: now },
  ]),
  refused(14, 'message-for-the-person', 'Declined with a message for the user.', {
    kind: 'decline',
    code: 'banking.merchantClientError',
    message: 'message.bankRefuses',
  }),
  {
    ...automatic(15, 'paid-after-expiry', 'Expires after 5 seconds, and is paid 5 seconds later.', [
      { outcome: 'expired', afterMs: 5_000, reason: 'expired', callbacks: now },
      { ...paidNow, afterMs: 10_000 },
    ]),
    lifetimeSeconds: 5,
  },
  declined(16, 'insufficient-funds'),
  declined(17, 'limit-exceeded'),
  declined(18, 'card-expired'),
  declined(19, 'wrong-details'),
  declined(20, 'confirmation-failed'),
  malformed(21, 'missing-card', 'The response names no recipient.'),
  malformed(22, 'no-timing', 'The response has no start and no lifetime of the payment.'),
  malformed(23, 'null-data', 'The response has no data.'),
  malformed(24, 'dead-link', 'Every link in the response leads to an address that does not exist.'),
  malformed(25, 'script-link', 'Every link in the response is a script.'),
  malformed(26, 'html-in-texts', 'Every text for the payer in the response contains HTML.'),
  declined(27, 'declined-by-issuer'),
  declined(28, 'stolen-card'),
  {
    ...automatic(29, 'refund-declined', 'Approved at once. A refund is declined.', [paidNow]),
    isRefundDeclined: true,
  },
  automatic(31, 'dispute-won', 'Approved at once, reversed 5 seconds later, and won back 5 seconds after that.', [
    paidNow,
    { outcome: 'reversed', afterMs: 5_000, paid: 'all', reason: 'chargeback', callbacks: now },
    { outcome: 'returned', afterMs: 10_000, paid: 'all', reason: 'dispute-won', callbacks: now },
  ]),
];

const byEnding = new Map(endingScenarios.map((scenario) => [scenario.ending, scenario]));
const byName = new Map([pageScenario, ...endingScenarios].map((scenario) => [scenario.name, scenario]));

/** The row of an amount in minor units, whatever the decimals of the currency. Every amount has exactly one row. */
export function scenarioOf(amountMinor: bigint): Scenario {
  return byEnding.get(Number(amountMinor % 100n)) ?? pageScenario;
}

/** The row of a stored payment. @throws RangeError for an unknown name */
export function scenarioNamed(name: string): Scenario {
  const scenario = byName.get(name);
  if (scenario === undefined) throw new RangeError(`The sandbox has no scenario ${name}`);
  return scenario;
}

/** The choices on the pay page. */
export const decisions = ['approve', 'decline', 'approve-later', 'pay-less', 'abandon'] as const;
export type Decision = (typeof decisions)[number];

/** The facts that follow a choice. `abandon` has none: the payment expires without a callback. */
export const factsAfterDecision: Readonly<Record<Decision, readonly PlannedFact[]>> = {
  approve: [paidNow],
  decline: [{ outcome: 'declined', afterMs: 0, reason: 'declined-by-payer', callbacks: now }],
  'approve-later': [
    { outcome: 'pending', afterMs: 0, callbacks: now },
    { ...paidNow, afterMs: 10_000 },
  ],
  'pay-less': [{ ...paidNow, paid: 'chosen' }],
  abandon: [],
};

/** How the payer reaches the page: by a plain address, or by a form with hidden inputs. All lead to the same page. */
export type Entry = 'address' | 'form-get' | 'form-post';

/** The entry by the beginning of a method's name. Some banks and wallets take over the payer by a form, so tests need both kinds. */
const entryByMethodPrefix: readonly (readonly [prefix: string, entry: Entry])[] = [
  ['bank', 'form-post'],
  ['webmoney', 'form-get'],
  ['yamoney', 'form-get'],
];

/** The entry of a payment method. A plain address for methods that are not in the table. */
export function entryOf(paymentMethod: string): Entry {
  return entryByMethodPrefix.find(([prefix]) => paymentMethod.startsWith(prefix))?.[1] ?? 'address';
}
