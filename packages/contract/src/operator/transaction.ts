/** One deposit or withdrawal with everything that belongs to it (SRV-1, SRV-3). */
import * as v from 'valibot';
import { decimalStringSchema, instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { shownCurrencySchema, shownKeySchema, shownReferenceSchema, shownStaffSchema } from './fields.ts';
import { foundPaymentSchema } from './payments.ts';
import { accountEntries, routingDecisionSchema } from './routes.ts';

const moneyEntries = {
  /** In units of `currency`, such as euros and cents. */
  amount: decimalStringSchema,
  currency: shownCurrencySchema,
  /** When the cashier recorded it. */
  created: instantSchema,
  /** When it last changed. */
  updated: instantSchema,
};

const receiptSchema = v.object({
  /** The id of this receipt of money. @example "0198c1f2-7a30-7c55-9b6b-3d5a0a6b7f01" */
  paymentId: v.string(),
  /**
   * `deposit`: the payment that the deposit asked for. `further`: more money. `returned`: money that came back.
   * @example "deposit"
   */
  origin: v.string(),
  /** Its state, such as `credited`. @example "credited" */
  state: v.string(),
  reference: shownReferenceSchema,
  ...moneyEntries,
  /** When the user got the money. Absent: the user has not got it. */
  credited: v.optional(instantSchema),
  /** Why staff decided or must decide. @example "unknown-currency" */
  reason: v.optional(v.string()),
});

const disputeSchema = v.object({
  /** Made by the cashier for this chargeback. @example "0198c1f2-7a30-7c55-9b6b-3d5a0a6b7f02" */
  disputeId: v.string(),
  /** The receipt of money that is disputed. @example "0198c1f2-7a30-7c55-9b6b-3d5a0a6b7f01" */
  paymentId: v.string(),
  /** Its state, such as `open`. @example "open" */
  state: v.string(),
  /** The provider's id of the dispute. @example "dp_1Nx2" */
  reference: v.optional(v.string()),
  ...moneyEntries,
});

const payoutSchema = v.object({
  /** Made by the cashier for one try to pay the user. @example "0198c1f2-7a30-7c55-9b6b-3d5a0a6b7f03" */
  payoutId: v.string(),
  /** Its state, such as `paid`. @example "paid" */
  state: v.string(),
  /** The provider's id of the payout. @example "po_1Nx2" */
  reference: v.optional(v.string()),
  ...moneyEntries,
});

const decisionSchema = v.object({
  /** What was decided, such as `approve` or `decline`. @example "approve" */
  decision: v.string(),
  decidedBy: shownStaffSchema,
  /** The API key that sent the decision. Absent: the command line. */
  keyId: v.optional(shownKeySchema),
  /** Why, in the operator's own words; of a review its id. @example "The customer asked for it." */
  reason: v.optional(v.string()),
  /** When it was decided. */
  at: instantSchema,
});

export const depositAttemptSchema = v.object({
  /** Our id of the payment at the provider, and its idempotency key there. @example "01900000-0000-7000-8000-000000000001" */
  attemptId: v.string(),
  /** The deposit that made the attempt. Another one than this: its late money is in this deposit. @example "01900000-0000-7000-8000-000000000001" */
  depositId: v.string(),
  ...accountEntries,
  reference: v.optional(shownReferenceSchema),
  /** When the cashier chose the account for this attempt. */
  began: instantSchema,
  /** When it certainly had taken no money. Absent: the state of the deposit tells how it ends. */
  ended: v.optional(instantSchema),
  /**
   * `failed`, `declined`: the provider certainly took nothing. `not-sent`: nothing was sent to the provider. Absent: the state of the
   * deposit tells.
   */
  outcome: v.optional(v.picklist(['failed', 'declined', 'not-sent'])),
  /** The provider's or the cashier's code of the outcome. @example "unavailable" */
  code: v.optional(v.string()),
  /** The deposit under review that holds money which came although the attempt had failed. @example "01900000-0000-7000-8000-000000000002" */
  moneyDepositId: v.optional(v.string()),
});
export type DepositAttempt = v.InferOutput<typeof depositAttemptSchema>;

/** One moment in the life of a payment. */
const momentSchema = v.object({
  /** When it happened. */
  at: instantSchema,
  /** The list of the answer that has it in full. `move` is in `history`; a `note` is here alone. */
  kind: v.picklist([
    'move',
    'report',
    'journal',
    'payment',
    'refund',
    'dispute',
    'payout',
    'decision',
    'webhook',
    'note',
    'route',
    'attempt',
  ]),
  /** In plain words, for staff. @example "pending → credited (provider)" */
  text: v.string(),
});

export const transactionDetailSchema = v.object({
  ...v.omit(foundPaymentSchema, ['matchedBy']).entries,
  /** Why a deposit went to its account. Absent: a withdrawal, a deposit without a route, or a decision older than 13 months. */
  routing: v.optional(routingDecisionSchema),
  /** The accounts that a deposit was sent to, the first one first. Empty: a withdrawal. */
  attempts: v.array(depositAttemptSchema),
  /** The receipts of money of a deposit. This list and the following ones are oldest first, with at most 100 entries each. */
  payments: v.array(receiptSchema),
  /** The chargebacks of a deposit. */
  disputes: v.array(disputeSchema),
  /** The transfers that a provider made for a withdrawal. */
  payouts: v.array(payoutSchema),
  /** What staff decided: approvals, declines and reviews. */
  decisions: v.array(decisionSchema),
  /** Everything above by time, oldest first. */
  timeline: v.array(momentSchema),
});
export type TransactionDetail = v.InferOutput<typeof transactionDetailSchema>;

export const readTransaction = defineEndpoint({
  id: 'read-transaction',
  method: 'GET',
  path: '/transactions/{id}',
  summary:
    'A deposit or withdrawal with its attempts, payments, refunds, disputes, payouts, decisions, journals and webhooks, and all of them by time.',
  params: v.object({ id: paymentIdSchema }),
  response: transactionDetailSchema,
  errors: { 404: '`not-found`: no such deposit or withdrawal of this operator.' },
});
