/** The search for a payment by any of its names, with everything that happened to it (SRV-1, SRV-3). */
import * as v from 'valibot';
import { decimalStringSchema, instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { deliverySchema } from './deliveries.ts';
import { defineEndpoint } from './endpoint.ts';
import {
  paymentTypeSchema,
  shownCurrencySchema,
  shownMethodSchema,
  shownProviderSchema,
  shownReferenceSchema,
  shownTransactionSchema,
  shownUserSchema,
  signedDecimalSchema,
} from './fields.ts';
import { paymentStates, reportedOutcomes, reviewReasons } from './states.ts';
import { knownWalletCallSchema } from './wallet-calls.ts';

export const lookupQuerySchema = v.strictObject({
  /**
   * The id of a payment, attempt, refund, webhook delivery or journal; a provider's reference; a transaction hash; an address; a user.
   * @example "pi_3Nx2"
   */
  find: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(256)),
});

export const lookupWays = ['id', 'reference', 'transaction', 'address', 'destination', 'user'] as const;

export const paymentStepSchema = v.object({
  /** The state before this step. Absent: the payment was created with this step. */
  from: v.optional(v.picklist(paymentStates)),
  /** The state after this step. */
  to: v.picklist(paymentStates),
  /** What caused the step, such as provider, provider-answer, user, expiry or staff. @example "provider" */
  cause: v.string(),
  /** When the state changed. */
  at: instantSchema,
});

export const paymentReportSchema = v.object({
  /** The provider's id of this report. @example "evt_1Nx2" */
  eventId: v.string(),
  /** What the provider reported. */
  outcome: v.picklist(reportedOutcomes),
  /** `applied`: `result` is what the report changed. `parked`: `result` is why it cannot be applied yet. */
  status: v.picklist(['applied', 'parked']),
  /** What the report changed, such as `credit`, or why it waits, such as `unconfirmed`. @example "credit" */
  result: v.string(),
  reference: v.optional(shownReferenceSchema),
  transaction: v.optional(shownTransactionSchema),
  /** The amount of the report. Absent: it has none. */
  amount: v.optional(decimalStringSchema),
  currency: v.optional(shownCurrencySchema),
  /** When the report arrived. */
  received: instantSchema,
});

export const paymentJournalSchema = v.object({
  /** Names one balanced set of postings in the ledger. @example "0198c1f2-7a30-7c55-9b6b-3d5a0a6b7f01" */
  journalId: v.string(),
  /** What it books, such as `deposit_credit` or `hold`. @example "deposit_credit" */
  kind: v.string(),
  /** The system that knows the booked fact. `reference` is its id there. @example "stripe" */
  source: v.string(),
  /** The id of the booked fact in its source. @example "pi_3Nx2" */
  reference: v.string(),
  /** When it was booked. */
  at: instantSchema,
  /** The lines of the entry. The amounts sum to zero in each currency. A positive amount raises what the cashier owes the owner. */
  postings: v.array(
    v.object({
      /** The kind of the account, such as `user` or `suspense`. @example "user" */
      account: v.string(),
      /** Whose account it is: a user, or nobody for an account of the operator. @example "u-1042" */
      owner: v.string(),
      amount: signedDecimalSchema,
      currency: shownCurrencySchema,
    }),
  ),
});

export const paymentRefundSchema = v.object({
  /** The operator's idempotency key of the refund. @example "9f0c2b1e-5d1c-4c55-9b6b-3d5a0a6b7f01" */
  refundId: v.string(),
  /** `pending` and `accepted`: the amount is held until the provider answers with an outcome. */
  state: v.picklist(['pending', 'accepted', 'declined', 'refunded']),
  /** The refunded amount. */
  amount: decimalStringSchema,
  currency: shownCurrencySchema,
  /** When the operator requested the refund. */
  created: instantSchema,
});

export const foundPaymentSchema = v.object({
  type: paymentTypeSchema,
  /** The `depositId` or `withdrawalId`. */
  id: paymentIdSchema,
  /** Which of its names matched the search. */
  matchedBy: v.array(v.picklist(lookupWays)),
  /** The public name of the operator. @example "demo" */
  operator: v.string(),
  userId: shownUserSchema,
  paymentMethod: shownMethodSchema,
  provider: shownProviderSchema,
  /** The operator's own connection that the payment uses. Absent: the account of the installation. @example "9f0c2b1e-5d1c-4c55-9b6b-3d5a0a6b7f01" */
  connectionId: v.optional(v.string()),
  reference: v.optional(shownReferenceSchema),
  transaction: v.optional(shownTransactionSchema),
  /** The addresses that receive its coins. @example ["TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE"] */
  addresses: v.array(v.string()),
  /** The state in the lifecycle of the deposit or withdrawal. */
  state: v.picklist(paymentStates),
  /** The amount of the payment. */
  amount: decimalStringSchema,
  currency: shownCurrencySchema,
  /** Why staff must decide about it. Absent: no review is open. */
  review: v.optional(v.picklist(reviewReasons)),
  /** When the payment was created. */
  created: instantSchema,
  /** When the payment last changed. */
  updated: instantSchema,
  /** Every change of its state. This list and the following ones are oldest first, with at most 100 entries each. */
  history: v.array(paymentStepSchema),
  /** What the provider reported about it. */
  reports: v.array(paymentReportSchema),
  /** The entries of the ledger. */
  journals: v.array(paymentJournalSchema),
  /** The refunds that the operator requested. */
  refunds: v.array(paymentRefundSchema),
  /** The webhooks about it. */
  webhooks: v.array(deliverySchema),
  /** Calls to the operator's own wallet. Absent: none. */
  walletCalls: v.optional(v.array(knownWalletCallSchema)),
});
export type FoundPayment = v.InferOutput<typeof foundPaymentSchema>;

export const lookupResponseSchema = v.object({
  /** The payments that match, newest first, at most 20. */
  payments: v.array(foundPaymentSchema),
  /** Whether more than 20 payments match. */
  hasMore: v.boolean(),
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
