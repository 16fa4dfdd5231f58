/**
 * The actions of the control page. A person or a test decides what happens to a payment next: a confirmation, a late payment, a
 * chargeback. Pure, like the rest of the lifecycle.
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

export interface ControlInput {
  /** For `pay-less`, `pay-more`, `pay-again` and coins that are `seen`: the amount in minor units. */
  readonly paidMinor?: bigint;
  /** For `confirm`: the number of further blocks. */
  readonly blocks?: number;
}

/** How long after the expiry a late payment arrives. */
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

/** The number of transfers that have arrived at the address. */
function transfersOf({ facts }: SandboxPayment): number {
  return facts.filter(({ outcome }) => outcome === 'paid').length;
}

/** The actions that are possible now, in the order of {@link controlActions}. */
export function possibleActions(payment: SandboxPayment, at: number): readonly ControlAction[] {
  const latest = factAt(payment, at)?.outcome;
  const isPaid = payment.facts.some((fact) => fact.outcome === 'paid');
  if (latest === 'paid') return payment.flow === 'crypto' ? ['pay-again', 'take-back'] : ['take-back'];
  if (isPaid || latest === 'declined' || latest === 'reversed') return [];
  // A payer can send money after the payment has ended.
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
 * Does an action. Past facts stay, and planned facts are dropped.
 * @returns undefined when the action is not possible any more
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

/** Whether one payment of exactly this amount was made. The sandbox refunds whole payments only. */
export function isPaid({ facts, amountMinor }: SandboxPayment, wanted: bigint, at: number): boolean {
  return facts.some((fact) => fact.at <= at && fact.outcome === 'paid' && (fact.paidMinor ?? amountMinor) === wanted);
}

/** A refund by the cashier. Without `change` where the refund was made before. Undefined where there is nothing to refund. */
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

/** The amount of an action. `confirm` takes the amount that was seen, and `take-back` the amount that was paid. */
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

/** With enough confirmations the payment is paid. */
function confirmed(payment: SandboxPayment, blocks: number): readonly PlannedFact[] {
  const required = networkOf(payment.network ?? '')?.required ?? 1;
  return blocks >= required ? [{ ...paid, paid: 'chosen' }] : [seen(payment, blocks)];
}
