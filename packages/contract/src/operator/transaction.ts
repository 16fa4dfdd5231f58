/** One deposit or withdrawal with everything that belongs to it (SRV-1, SRV-3). */
import * as v from 'valibot';
import { decimalStringSchema, instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { foundPaymentSchema } from './payments.ts';

const moneyEntries = {
  amount: decimalStringSchema,
  currency: v.string(),
  created: instantSchema,
  updated: instantSchema,
};

const receiptSchema = v.object({
  paymentId: v.string(),
  /** `deposit`: the payment that the deposit asked for. `further`: more money. `returned`: money that came back. */
  origin: v.string(),
  state: v.string(),
  reference: v.string(),
  ...moneyEntries,
  credited: v.optional(instantSchema),
  /** Why staff decided or must decide. */
  reason: v.optional(v.string()),
});

const disputeSchema = v.object({
  disputeId: v.string(),
  paymentId: v.string(),
  state: v.string(),
  reference: v.optional(v.string()),
  ...moneyEntries,
});

const payoutSchema = v.object({
  payoutId: v.string(),
  state: v.string(),
  reference: v.optional(v.string()),
  ...moneyEntries,
});

const decisionSchema = v.object({
  decision: v.string(),
  decidedBy: v.string(),
  /** The API key that sent the decision. Absent: the command line. */
  keyId: v.optional(v.string()),
  reason: v.optional(v.string()),
  at: instantSchema,
});

/** One moment in the life of a payment. */
const momentSchema = v.object({
  at: instantSchema,
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
  ]),
  /** In plain words, for staff. */
  text: v.string(),
});

export const transactionDetailSchema = v.object({
  ...v.omit(foundPaymentSchema, ['by']).entries,
  /** The receipts of money of a deposit. This list and the following ones are oldest first, with at most 100 entries each. */
  payments: v.array(receiptSchema),
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
    'A deposit or withdrawal with its payments, refunds, disputes, payouts, decisions, journals and webhooks, and all of them by time.',
  params: v.object({ id: paymentIdSchema }),
  response: transactionDetailSchema,
  errors: { 404: '`not-found`: no such deposit or withdrawal of this operator.' },
});
