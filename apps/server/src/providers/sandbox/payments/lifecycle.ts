/** The life of a payment at the sandbox. Pure functions: the caller has the store and the clock. */
import { createHash, randomUUID } from 'node:crypto';
import { networkOf } from '../coins/networks.ts';
import { writeCallback } from './callback-body.ts';
import { flowLifetimes } from './flow-names.ts';
import type { Change, Fact, NewPayment, SandboxPayment } from './payment.ts';
import {
  type Decision,
  factsAfterDecision,
  type PlannedFact,
  type Scenario,
  scenarioNamed,
  scenarioOf,
} from './scenarios.ts';

/** 122 random bits, from the entropy that the platform keeps ready. */
const randomId = (): string => randomUUID().replaceAll('-', '');

/** Opens a payment by the scenario that its amount chooses. */
export function openPayment(request: NewPayment, now: number): Change {
  const scenario = scenarioOf(request.amountMinor);
  const expiresAt = now + lifetimeOf(request, scenario) * 1_000;
  const payment: SandboxPayment = {
    ...request,
    ref: `sbx_${randomId()}`,
    scenario: scenario.name,
    formToken: randomId(),
    facts: [],
    createdAt: now,
    expiresAt,
  };
  return plan(payment, scenario.hasPage ? [expiryOf(expiresAt - now)] : scenario.facts, now);
}

/** Seconds after which an unpaid payment expires. */
export function lifetimeOf({ flow }: Pick<SandboxPayment, 'flow'>, scenario: Scenario): number {
  return scenario.lifetimeSeconds ?? flowLifetimes[flow];
}

function expiryOf(afterMs: number): PlannedFact {
  return { outcome: 'expired', afterMs, reason: 'expired', callbacks: [{ afterMs: 0 }] };
}

/** True while a person may still choose on the page. */
export function isOpen(payment: SandboxPayment, now: number): boolean {
  const { hasPage } = scenarioNamed(payment.scenario);
  return hasPage && payment.decision === undefined && factAt(payment, now) === undefined;
}

/** The newest fact that has happened. Undefined while nothing has. */
export function factAt(payment: SandboxPayment, now: number): Fact | undefined {
  return payment.facts.findLast((fact) => fact.at <= now);
}

/**
 * Applies a person's choice on the pay page. The facts of the choice replace the planned expiry.
 * @param payLessMinor the amount of `pay-less`, in minor units
 * @returns undefined when the payment is no longer open
 */
export function decide(
  payment: SandboxPayment,
  decision: Decision,
  now: number,
  payLessMinor?: bigint,
): Change | undefined {
  if (!isOpen(payment, now)) return undefined;
  const decided: SandboxPayment = { ...payment, decision };
  // An abandoned payment still expires, but the sandbox sends no callback about it.
  if (decision === 'abandon') return { payment: decided, callbacks: [] };
  const scenario = scenarioNamed(payment.scenario);
  const facts = scenario.factsAfterPage ?? factsAfterDecision[decision];
  return plan({ ...decided, facts: [] }, facts, now, payLessMinor);
}

/** A cancel by the cashier. @returns undefined when the payment is decided, or something has happened to it */
export function cancel(payment: SandboxPayment, now: number): Change | undefined {
  const isUndecided = payment.decision === undefined || payment.decision === 'abandon';
  if (!isUndecided || !scenarioNamed(payment.scenario).hasPage || factAt(payment, now) !== undefined) return undefined;
  return plan(
    { ...payment, facts: [] },
    [{ outcome: 'cancelled', afterMs: 0, reason: 'cancelled-by-merchant', callbacks: [{ afterMs: 0 }] }],
    now,
  );
}

/** A payment with only the planned facts, and their callbacks. The caller adds the past facts. Also used by the control page. */
export function plan(
  payment: SandboxPayment,
  planned: readonly PlannedFact[],
  now: number,
  chosenMinor?: bigint,
): Change {
  const pairs = planned.map((one) => ({ one, fact: toFact(payment, one, now, chosenMinor) }));
  const callbacks = pairs.flatMap(({ one, fact }) =>
    one.callbacks.map(({ afterMs, isForged = false }) => ({
      eventId: fact.eventId,
      body: writeCallback(payment, fact),
      isForged,
      dueAt: fact.at + afterMs,
    })),
  );
  return { payment: { ...payment, facts: pairs.map(({ fact }) => fact) }, callbacks };
}

function toFact(payment: SandboxPayment, planned: PlannedFact, now: number, chosenMinor: bigint | undefined): Fact {
  const { outcome, afterMs, paid, reason } = planned;
  return {
    eventId: `evt_${randomId()}`,
    outcome,
    ...(paid === undefined ? {} : { paidMinor: paidMinor(payment, paid, chosenMinor) }),
    ...(reason === undefined ? {} : { reason }),
    ...wordOf(payment, planned),
    ...chainOf(payment, planned),
    at: now + afterMs,
  };
}

const REMOTE_WORDS: Readonly<Partial<Record<PlannedFact['outcome'], string>>> = {
  paid: 'PAYED',
  cancelled: 'CANCELED',
  expired: 'AUTO_CANCELED',
};

/** The status word of a peer-to-peer payment, which this company names in its own terms. */
function wordOf({ flow }: SandboxPayment, planned: PlannedFact): Pick<Fact, 'remoteStatus'> {
  const word = planned.remoteStatus ?? REMOTE_WORDS[planned.outcome];
  return flow === 'p2p' && word !== undefined ? { remoteStatus: word } : {};
}

/** The transaction on the chain, where coins moved. */
function chainOf({ flow, network: name, coin, ref }: SandboxPayment, planned: PlannedFact): Pick<Fact, 'chain'> {
  const network = name === undefined ? undefined : networkOf(name);
  const { outcome, confirmations, transfer = 1 } = planned;
  const hasMoved = outcome === 'paid' || outcome === 'reversed' || confirmations !== undefined;
  if (flow !== 'crypto' || network === undefined || coin === undefined || !hasMoved) return {};
  const { chain: blockchain, required } = network;
  const hash = createHash('sha256')
    .update(`transaction ${ref}${transfer === 1 ? '' : ` ${transfer}`}`)
    .digest('hex');
  const chain = {
    txid: network.addressKind === 'ethereum' ? `0x${hash}` : hash,
    blockchain,
    cryptoCurrency: coin,
    confirmations: confirmations ?? required,
    requiredConfirmations: required,
  };
  return { chain };
}

function paidMinor(payment: SandboxPayment, paid: 'all' | 'half' | 'chosen', chosenMinor: bigint | undefined): bigint {
  if (paid === 'all') return payment.amountMinor;
  if (paid === 'half') return payment.amountMinor / 2n;
  if (chosenMinor === undefined) throw new TypeError('A fact with a chosen amount needs the amount');
  return chosenMinor;
}
