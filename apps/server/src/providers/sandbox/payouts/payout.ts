/** A payout, as the sandbox company stores it, and the format of the callbacks about it. Nothing outside the sandbox knows it. */
import { randomBytes, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { ProviderWithdrawal, WithdrawalReport } from '../../withdrawal-provider.ts';
import { PROVIDER_NAME } from '../payments/callback-body.ts';
import type { OutgoingCallback } from '../payments/payment.ts';
import { amountSchema, readAmount, writeAmount } from '../payments/wire-amount.ts';
import { textsOf } from '../words/texts.ts';
import { causeOfReason, type PlannedPayoutFact, payoutScenarioOf } from './payout-scenarios.ts';

export interface PayoutFact {
  /** Unique for ever. The same in callbacks and in inquiries. */
  readonly eventId: string;
  readonly outcome: WithdrawalReport['outcome'];
  readonly reason?: string;
  /** Shown to the user, in the language of the request. */
  readonly message?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface Payout {
  readonly ref: string;
  /** The cashier's id: the idempotency key of the request. */
  readonly withdrawalId: string;
  readonly receivesMinor: bigint;
  readonly currency: string;
  readonly scenario: string;
  /** In order of `at`. Some are in the future. */
  readonly facts: readonly PayoutFact[];
  readonly createdAt: number;
}

/** A new payout with its callbacks, by the scenario that the requested amount chooses. */
export function openPayout(
  { withdrawalId, amountMinor, receivesMinor, currency, language }: ProviderWithdrawal,
  now: number,
): { readonly payout: Payout; readonly callbacks: readonly OutgoingCallback[] } {
  const scenario = payoutScenarioOf(amountMinor);
  const pairs = scenario.facts.map((planned) => ({ planned, fact: factOf(planned, now, language) }));
  const payout: Payout = {
    ref: `spo_${randomBytes(16).toString('hex')}`,
    withdrawalId,
    receivesMinor,
    currency,
    scenario: scenario.name,
    facts: pairs.map(({ fact }) => fact),
    createdAt: now,
  };
  const callbacks = pairs.flatMap(({ planned, fact }) =>
    planned.callbacks.map(({ afterMs, isForged = false }) => ({
      eventId: fact.eventId,
      body: writePayoutCallback(payout, fact),
      isForged,
      dueAt: fact.at + afterMs,
    })),
  );
  return { payout, callbacks };
}

function factOf({ outcome, afterMs, reason, message }: PlannedPayoutFact, now: number, language: string): PayoutFact {
  const eventId = `evt_${randomUUID().replaceAll('-', '')}`;
  const words = message === undefined ? {} : { message: textsOf(language).say(message) };
  return { eventId, outcome, ...(reason !== undefined && { reason }), ...words, at: now + afterMs };
}

const TYPE = 'payout.';

const bodySchema = v.object({
  id: v.pipe(v.string(), v.regex(/^evt_[0-9a-f]{32}$/)),
  type: v.picklist(['payout.pending', 'payout.paid', 'payout.declined', 'payout.returned']),
  created: v.pipe(v.string(), v.isoTimestamp()),
  data: v.object({
    payout: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
    merchantReference: v.pipe(v.string(), v.uuid()),
    amount: amountSchema,
    reason: v.optional(v.string()),
    message: v.optional(v.string()),
  }),
});
type Body = v.InferOutput<typeof bodySchema>;

function writePayoutCallback(payout: Payout, fact: PayoutFact): string {
  const body: Body = {
    id: fact.eventId,
    type: `payout.${fact.outcome}`,
    created: new Date(fact.at).toISOString(),
    data: {
      payout: payout.ref,
      merchantReference: payout.withdrawalId,
      amount: writeAmount(payout.receivesMinor, payout.currency),
      ...(fact.reason !== undefined && { reason: fact.reason }),
      ...(fact.message !== undefined && { message: fact.message }),
    },
  };
  return JSON.stringify(body);
}

const anyTypeSchema = v.object({ type: v.string() });

/**
 * Reads the body of a callback. The caller has checked the signature. Undefined for a callback that is not about a payout.
 * @throws SyntaxError, ValiError or RangeError when the body makes no sense
 */
export function readPayoutCallback(rawBody: Uint8Array): WithdrawalReport | undefined {
  const body: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody));
  if (!v.parse(anyTypeSchema, body).type.startsWith(TYPE)) return undefined;
  const { id, type, created, data } = v.parse(bodySchema, body);
  return {
    provider: PROVIDER_NAME,
    providerRef: data.payout,
    withdrawalId: data.merchantReference,
    outcome: type.slice(TYPE.length) as WithdrawalReport['outcome'],
    paidMinor: readAmount(data.amount),
    currency: data.amount.currency,
    ...whyOf(data),
    eventId: id,
    at: created,
  };
}

function whyOf({
  reason,
  message,
}: Pick<Body['data'], 'reason' | 'message'>): Pick<WithdrawalReport, 'reason' | 'cause' | 'message'> {
  const cause = causeOfReason(reason);
  return {
    ...(reason !== undefined && { reason }),
    ...(cause !== undefined && { cause }),
    ...(message !== undefined && { message }),
  };
}

/** The report about the newest fact, the same as from its callback. `pending` while nothing has happened. */
export function payoutReport(payout: Payout, now: number): WithdrawalReport {
  const fact = payout.facts.findLast(({ at }) => at <= now);
  return {
    provider: PROVIDER_NAME,
    providerRef: payout.ref,
    withdrawalId: payout.withdrawalId,
    outcome: fact?.outcome ?? 'pending',
    paidMinor: payout.receivesMinor,
    currency: payout.currency,
    ...(fact && whyOf(fact)),
    eventId: fact?.eventId ?? `evt_open_${payout.ref}`,
    at: new Date(fact?.at ?? payout.createdAt).toISOString(),
  };
}
