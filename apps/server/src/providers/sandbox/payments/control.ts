/**
 * What a person or a test can let happen to a payment that has no pay page, one thing after another. Pure, like the rest of the
 * lifecycle: a payment of coins gathers blocks, a transfer between people is seen, paid, cancelled or comes too late.
 */
import { networkOf } from '../coins/networks.ts';
import { factAt, plan } from './lifecycle.ts';
import type { Change, Fact, SandboxPayment } from './payment.ts';
import { type PlannedFact, scenarioNamed } from './scenarios.ts';

export const controlActions = [
  'pay',
  'pay-less',
  'pay-more',
  'pay-late',
  'pay-again',
  'seen',
  'confirm',
  'decline',
  'cancel',
  'auto-cancel',
  'expire',
  'never-answer',
  'take-back',
] as const;
export type ControlAction = (typeof controlActions)[number];

/** What goes with an action: the amount of `pay-less`, `pay-more`, `pay-again` and coins `seen` in minor units, the blocks of `confirm`. */
export interface ControlInput {
  readonly paidMinor?: bigint;
  readonly blocks?: number;
}

/** How long after its expiry a late payment comes. */
export const LATE_MS = 5_000;

const now = [{ afterMs: 0 }] as const;
const paid: PlannedFact = { outcome: 'paid', afterMs: 0, paid: 'all', callbacks: now };
const expired: PlannedFact = { outcome: 'expired', afterMs: 0, reason: 'expired', callbacks: now };

const takenBack: PlannedFact = {
  outcome: 'reversed',
  afterMs: 0,
  paid: 'chosen',
  reason: 'chargeback',
  callbacks: now,
};

const REFUND = 'refund';

/** How many transfers to the address have come. */
function transfersOf({ facts }: SandboxPayment): number {
  return facts.filter(({ outcome }) => outcome === 'paid').length;
}

/** What can be done now, in the order of {@link controlActions}. */
export function possibleActions(payment: SandboxPayment, at: number): readonly ControlAction[] {
  const latest = factAt(payment, at)?.outcome;
  const isPaid = payment.facts.some((fact) => fact.outcome === 'paid');
  if (latest === 'paid') return payment.flow === 'crypto' ? ['pay-again', 'take-back'] : ['take-back'];
  if (isPaid || latest === 'declined' || latest === 'reversed') return [];
  // Whoever sends money after the end sends it all the same.
  if (latest === 'expired' || latest === 'cancelled') return ['pay', 'pay-less', 'pay-more'];
  const isCrypto = payment.flow === 'crypto';
  const isSeen = latest === 'pending';
  return controlActions.filter((action) => {
    if (action === 'take-back' || action === 'pay-again') return false;
    if (action === 'confirm') return isCrypto;
    if (action === 'seen') return !isSeen;
    return true;
  });
}

/**
 * Lets it happen. Facts of before stay, planned ones that have not come give way.
 * @returns undefined when it cannot happen any more
 */
export function control(
  payment: SandboxPayment,
  action: ControlAction,
  at: number,
  input: ControlInput = {},
): Change | undefined {
  if (!possibleActions(payment, at).includes(action)) return undefined;
  const past = payment.facts.filter((fact) => fact.at <= at);
  const keptFacts = past.map(({ eventId }) => eventId);
  if (action === 'never-answer') {
    return { payment: { ...payment, decision: 'silent', facts: past }, callbacks: [], keptFacts };
  }
  const change = plan(
    { ...payment, facts: [] },
    plannedOf(payment, action, at, input),
    at,
    chosenOf(payment, action, past, input),
  );
  return { ...change, payment: { ...change.payment, facts: [...past, ...change.payment.facts] }, keptFacts };
}

/** Whether as much was paid, all at once: a part of it is not sent back. */
export function isPaid({ facts, amountMinor }: SandboxPayment, wanted: bigint, at: number): boolean {
  return facts.some((fact) => fact.at <= at && fact.outcome === 'paid' && (fact.paidMinor ?? amountMinor) === wanted);
}

/** The merchant sends a payment back: no change where it has before, undefined where there is nothing to send. */
export function refund(payment: SandboxPayment, at: number): { readonly change?: Change } | undefined {
  const latest = factAt(payment, at);
  if (latest?.outcome === 'reversed' && latest.reason === REFUND) return {};
  if (latest?.outcome !== 'paid') return undefined;
  const past = payment.facts.filter((fact) => fact.at <= at);
  const planned = [{ ...takenBack, reason: REFUND, transfer: transfersOf(payment) }];
  const change = plan({ ...payment, facts: [] }, planned, at, latest.paidMinor ?? payment.amountMinor);
  const facts = [...past, ...change.payment.facts];
  return { change: { ...change, payment: { ...payment, facts }, keptFacts: past.map(({ eventId }) => eventId) } };
}

/** What was seen is what the blocks make good, and what was paid is what is taken back. */
function chosenOf(
  { amountMinor }: SandboxPayment,
  action: ControlAction,
  past: readonly Fact[],
  { paidMinor }: ControlInput,
): bigint | undefined {
  if (action === 'pay-less' || action === 'pay-more' || action === 'pay-again') return paidMinor;
  if (action === 'seen') return paidMinor ?? amountMinor;
  return past.findLast((fact) => fact.paidMinor !== undefined)?.paidMinor ?? amountMinor;
}

function plannedOf(
  payment: SandboxPayment,
  action: Exclude<ControlAction, 'never-answer'>,
  at: number,
  { blocks = 1 }: ControlInput,
): readonly PlannedFact[] {
  const { factsAfterPage } = scenarioNamed(payment.scenario);
  switch (action) {
    case 'pay':
      return factsAfterPage ?? [paid];
    case 'pay-less':
    case 'pay-more':
      return factsAfterPage ?? [{ ...paid, paid: 'chosen' }];
    case 'pay-again':
      return [{ ...paid, paid: 'chosen', transfer: transfersOf(payment) + 1 }];
    case 'pay-late':
      return [expired, { ...paid, afterMs: LATE_MS }];
    case 'seen':
      return [seen(payment, 0)];
    case 'confirm':
      return confirmed(payment, (factAt(payment, at)?.chain?.confirmations ?? 0) + blocks);
    case 'decline':
      return [{ outcome: 'declined', afterMs: 0, reason: 'declined-by-issuer', callbacks: now }];
    case 'cancel':
      return [{ outcome: 'cancelled', afterMs: 0, reason: 'cancelled', remoteStatus: 'CANCELED', callbacks: now }];
    case 'auto-cancel':
      return [
        { outcome: 'cancelled', afterMs: 0, reason: 'auto-cancelled', remoteStatus: 'AUTO_CANCELED', callbacks: now },
      ];
    case 'expire':
      return [expired];
    case 'take-back':
      return [{ ...takenBack, transfer: transfersOf(payment) }];
  }
}

function seen({ flow }: SandboxPayment, confirmations: number): PlannedFact {
  return {
    outcome: 'pending',
    afterMs: 0,
    ...(flow === 'p2p' && { remoteStatus: 'PAYED' }),
    ...(flow === 'crypto' && { confirmations, paid: 'chosen' as const }),
    callbacks: now,
  };
}

/** Enough blocks make the payment good. */
function confirmed(payment: SandboxPayment, blocks: number): readonly PlannedFact[] {
  const required = networkOf(payment.network ?? '')?.required ?? 1;
  return blocks >= required ? [{ ...paid, paid: 'chosen' }] : [seen(payment, blocks)];
}
