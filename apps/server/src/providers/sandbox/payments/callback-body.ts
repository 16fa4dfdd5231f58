/** The format of the sandbox's callbacks about payments. Nothing outside the sandbox knows it. */
import * as v from 'valibot';
import type { DepositReport } from '../../provider.ts';
import { causeOf } from './decline-causes.ts';
import { type Fact, type SandboxPayment, wonBack } from './payment.ts';
import { amountSchema, readAmount, writeAmount } from './wire-amount.ts';

/** Also the name of the folder, and a part of the address for callbacks. */
export const PROVIDER_NAME = 'sandbox';

const bodySchema = v.object({
  id: v.pipe(v.string(), v.regex(/^evt_[0-9a-f]{32}$/)),
  type: v.picklist([
    'payment.pending',
    'payment.paid',
    'payment.declined',
    'payment.expired',
    'payment.cancelled',
    'payment.reversed',
    'payment.returned',
  ]),
  created: v.pipe(v.string(), v.isoTimestamp()),
  data: v.object({
    payment: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
    merchantReference: v.pipe(v.string(), v.uuid()),
    amount: amountSchema,
    /** The amount that was really paid or reversed. */
    paid: v.optional(amountSchema),
    reason: v.optional(v.string()),
    remoteStatus: v.optional(v.string()),
    chain: v.optional(
      v.object({
        txid: v.string(),
        blockchain: v.string(),
        cryptoCurrency: v.string(),
        confirmations: v.pipe(v.number(), v.integer(), v.minValue(0)),
        requiredConfirmations: v.pipe(v.number(), v.integer(), v.minValue(1)),
      }),
    ),
  }),
});
type Body = v.InferOutput<typeof bodySchema>;

const refOf = (ref: string, outcome: DepositReport['outcome']): string =>
  outcome === 'returned' ? `${ref}${wonBack}` : ref;

/** Writes the body of a callback about a fact. */
export function writeCallback(payment: SandboxPayment, fact: Fact): string {
  const { currency } = payment;
  const body: Body = {
    id: fact.eventId,
    type: `payment.${fact.outcome}`,
    created: new Date(fact.at).toISOString(),
    data: {
      payment: payment.ref,
      merchantReference: payment.depositId,
      amount: writeAmount(payment.amountMinor, currency),
      ...(fact.paidMinor === undefined ? {} : { paid: writeAmount(fact.paidMinor, currency) }),
      ...(fact.reason === undefined ? {} : { reason: fact.reason }),
      ...(fact.remoteStatus === undefined ? {} : { remoteStatus: fact.remoteStatus }),
      ...(fact.chain === undefined ? {} : { chain: fact.chain }),
    },
  };
  return JSON.stringify(body);
}

/**
 * Reads the body of a callback. The caller has checked the signature.
 * @throws SyntaxError, ValiError or RangeError when the body makes no sense
 */
export function readCallback(rawBody: Uint8Array): DepositReport {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(rawBody);
  const { id, type, created, data } = v.parse(bodySchema, JSON.parse(text));
  const outcome = type.slice('payment.'.length) as DepositReport['outcome'];
  if (outcome === 'paid' && data.paid === undefined) throw new RangeError('The callback says paid without an amount');
  return {
    provider: PROVIDER_NAME,
    providerRef: refOf(data.payment, outcome),
    depositId: data.merchantReference,
    outcome,
    ...(data.paid === undefined ? {} : { paidMinor: readAmount(data.paid) }),
    // The currency that was paid, because it may differ from the requested one.
    currency: (data.paid ?? data.amount).currency,
    asked: { minor: readAmount(data.amount), currency: data.amount.currency },
    ...(data.reason === undefined ? {} : { reason: data.reason }),
    ...(outcome === 'declined' && causeOf(data.reason)),
    ...(data.remoteStatus === undefined ? {} : { remoteStatus: data.remoteStatus }),
    ...(data.chain === undefined ? {} : { chain: data.chain }),
    eventId: id,
    at: created,
  };
}

/** The report about a fact, for an inquiry. It is the same as from the fact's callback. */
export function reportOf(payment: SandboxPayment, fact: Fact): DepositReport {
  return {
    provider: PROVIDER_NAME,
    providerRef: refOf(payment.ref, fact.outcome),
    depositId: payment.depositId,
    outcome: fact.outcome,
    ...(fact.paidMinor === undefined ? {} : { paidMinor: fact.paidMinor }),
    currency: payment.currency,
    asked: { minor: payment.amountMinor, currency: payment.currency },
    ...(fact.reason === undefined ? {} : { reason: fact.reason }),
    ...(fact.outcome === 'declined' && causeOf(fact.reason)),
    ...(fact.remoteStatus === undefined ? {} : { remoteStatus: fact.remoteStatus }),
    ...(fact.chain === undefined ? {} : { chain: fact.chain }),
    eventId: fact.eventId,
    at: new Date(fact.at).toISOString(),
  };
}
