/** The search for a payment by any of its names, with everything that happened to it (SRV-1, SRV-3). */
import * as v from 'valibot';
import { decimalStringSchema, instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { deliverySchema } from './deliveries.ts';
import { defineEndpoint } from './endpoint.ts';
import { signedDecimalSchema } from './fields.ts';
import { knownWalletCallSchema } from './wallet-calls.ts';

export const lookupQuerySchema = v.strictObject({
  /** The id of a payment, refund, webhook delivery or journal; a provider's reference; a transaction hash; an address; a user. */
  find: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(256)),
});

export const lookupWays = ['id', 'reference', 'transaction', 'address', 'destination', 'user'] as const;

const stepSchema = v.object({
  /** Absent: the payment was created with this step. */
  from: v.optional(v.string()),
  to: v.string(),
  /** Such as provider, provider-answer, user, expiry or staff. */
  cause: v.string(),
  at: instantSchema,
});

const reportSchema = v.object({
  eventId: v.string(),
  /** What the provider reported: pending, paid, declined, expired, cancelled, reversed or returned. */
  tells: v.string(),
  /** `applied`: `outcome` is what the report changed. `parked`: `outcome` is why it cannot be applied yet. */
  status: v.picklist(['applied', 'parked']),
  outcome: v.string(),
  reference: v.optional(v.string()),
  transaction: v.optional(v.string()),
  amount: v.optional(decimalStringSchema),
  currency: v.optional(v.string()),
  received: instantSchema,
});

const journalSchema = v.object({
  journalId: v.string(),
  kind: v.string(),
  source: v.string(),
  reference: v.string(),
  at: instantSchema,
  /** The amounts sum to zero in each currency. A positive amount raises what the cashier owes the owner. */
  postings: v.array(
    v.object({ account: v.string(), owner: v.string(), amount: signedDecimalSchema, currency: v.string() }),
  ),
});

const refundSchema = v.object({
  refundId: v.string(),
  state: v.string(),
  amount: decimalStringSchema,
  currency: v.string(),
  created: instantSchema,
});

export const foundPaymentSchema = v.object({
  type: v.picklist(['deposit', 'withdrawal']),
  /** The `depositId` or `withdrawalId`. */
  id: paymentIdSchema,
  /** Which of its names matched the search. */
  by: v.array(v.picklist(lookupWays)),
  /** The public name of the operator. */
  operator: v.string(),
  userId: v.string(),
  paymentMethod: v.string(),
  provider: v.string(),
  reference: v.optional(v.string()),
  transaction: v.optional(v.string()),
  addresses: v.array(v.string()),
  state: v.string(),
  amount: decimalStringSchema,
  currency: v.string(),
  /** Why staff must decide about it. Absent: no review is open. */
  review: v.optional(v.string()),
  created: instantSchema,
  updated: instantSchema,
  /** This list and the following ones are oldest first, with at most 100 entries each. */
  history: v.array(stepSchema),
  reports: v.array(reportSchema),
  journals: v.array(journalSchema),
  refunds: v.array(refundSchema),
  webhooks: v.array(deliverySchema),
  /** Calls to the operator's own wallet. Absent: none. */
  walletCalls: v.optional(v.array(knownWalletCallSchema)),
});
export type FoundPayment = v.InferOutput<typeof foundPaymentSchema>;

export const lookupResponseSchema = v.object({
  /** Newest first, at most 20. */
  payments: v.array(foundPaymentSchema),
  /** Whether more than 20 payments match. */
  isMore: v.boolean(),
});
export type LookupResponse = v.InferOutput<typeof lookupResponseSchema>;

export const findPayments = defineEndpoint({
  id: 'find-payments',
  method: 'GET',
  path: '/payments',
  summary:
    'Finds payments, with their history, reports, journals, refunds and webhooks. Search by the id of a payment, refund, delivery or journal, a provider’s reference, a transaction hash, a receiving address, or a user.',
  query: lookupQuerySchema,
  response: lookupResponseSchema,
});

/** A POST, because a destination is personal data: proxies log the addresses of requests, but not their bodies. */
export const findPaymentsByDestination = defineEndpoint({
  id: 'find-payments-by-destination',
  method: 'POST',
  path: '/payments/find',
  summary:
    'Like `find-payments`, and also finds withdrawals by their destination: an account, IBAN, Pix key, UPI id, phone or coin address, in any notation. The destination is personal data, so it is sent in the body.',
  body: lookupQuerySchema,
  response: lookupResponseSchema,
});
