/** Deposits and withdrawals of all users, and refunds of deposits (SRV-1). */
import * as v from 'valibot';
import { currencySchema, decimalStringSchema, instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { accountTypes } from '../api/withdrawal.ts';
import { defineEndpoint } from './endpoint.ts';
import {
  askedInstantSchema,
  depositParams,
  paymentTypeSchema,
  shownMethodSchema,
  shownStaffSchema,
  shownUserSchema,
  staffSchema,
  statusSchema,
  userIdSchema,
} from './fields.ts';
import { pageEntries, pageSchema } from './paging.ts';
import { depositStates, withdrawalStates } from './states.ts';

/** A filter that is absent does not narrow the list. */
export const transactionQuerySchema = v.strictObject({
  /** Only deposits, or only withdrawals. */
  type: v.optional(paymentTypeSchema),
  status: v.optional(statusSchema),
  userId: v.optional(userIdSchema),
  from: v.optional(v.pipe(askedInstantSchema, v.description('Created at this moment or later.'))),
  to: v.optional(v.pipe(askedInstantSchema, v.description('Created before this moment.'))),
  ...pageEntries,
});
export type TransactionQuery = v.InferOutput<typeof transactionQuerySchema>;

const sharedEntries = {
  userId: shownUserSchema,
  paymentMethod: shownMethodSchema,
  status: statusSchema,
  /** The amount that the user requested. */
  amount: decimalStringSchema,
  currency: currencySchema,
  /** When it was created. */
  created: instantSchema,
  /** When it last changed. */
  updated: instantSchema,
};

export const transactionSchema = v.variant('type', [
  v.object({
    /** The user pays in. */
    type: v.literal('deposit'),
    /** Made by the widget of the user, a UUID. All webhooks about the deposit have it. */
    depositId: paymentIdSchema,
    ...sharedEntries,
    /** The state in the lifecycle; more detailed than `status`. */
    state: v.picklist(depositStates),
    /** The amount that the ledger credited. Absent: nothing is credited yet. */
    creditedAmount: v.optional(decimalStringSchema),
  }),
  v.object({
    /** The user is paid out. */
    type: v.literal('withdrawal'),
    /** Made by the widget of the user, a UUID. All webhooks about the withdrawal have it. */
    withdrawalId: paymentIdSchema,
    ...sharedEntries,
    /** The state in the lifecycle; more detailed than `status`. */
    state: v.picklist(withdrawalStates),
    /** The account of the user that the amount leaves. */
    accountType: v.picklist(accountTypes),
    /** The part of the amount that the user does not receive. @example "0.50" */
    fee: decimalStringSchema,
    /** The part of the amount that the user receives. @example "24.50" */
    receives: decimalStringSchema,
  }),
]);

export const transactionPageSchema = pageSchema({
  /** The deposits and withdrawals, newest first. */
  transactions: v.array(transactionSchema),
});
export type TransactionPage = v.InferOutput<typeof transactionPageSchema>;

export const listTransactions = defineEndpoint({
  id: 'list-transactions',
  method: 'GET',
  path: '/transactions',
  summary: 'Deposits and withdrawals of all users, newest first, page by page.',
  query: transactionQuerySchema,
  response: transactionPageSchema,
});

export const refundRequestSchema = v.strictObject({
  /** The operator's idempotency key of this refund. A repeat starts no other refund and answers the current state. */
  refundId: paymentIdSchema,
  staff: staffSchema,
  /** For the operator's records; nobody else sees it. @example "The customer asked for it." */
  reason: v.optional(v.pipe(v.string(), v.maxLength(200), v.regex(/^[^\p{Cc}]*$/u, 'text without control characters'))),
});

export const refundResponseSchema = v.object({
  /** The operator's idempotency key of the refund. */
  refundId: paymentIdSchema,
  /** The refunded deposit. */
  depositId: paymentIdSchema,
  /** `pending`: the amount is held, and the server asks the provider until it answers with an outcome. */
  state: v.picklist(['pending', 'declined', 'refunded']),
  /** The whole credited amount. */
  amount: decimalStringSchema,
  currency: currencySchema,
  staff: shownStaffSchema,
  /** When the refund was requested. */
  created: instantSchema,
});
export type RefundView = v.InferOutput<typeof refundResponseSchema>;

export const refundDeposit = defineEndpoint({
  id: 'refund-deposit',
  method: 'POST',
  path: '/transactions/{depositId}/refund',
  summary: 'Refunds the whole amount of a credited deposit, once per `refundId` and once per deposit.',
  params: depositParams,
  body: refundRequestSchema,
  response: refundResponseSchema,
  errors: {
    404: '`not-found`: no such deposit of this operator.',
    409: '`state-conflict`: the deposit is not credited, is under review, bought a coin box or already has a refund; or its provider cannot refund; or the account is frozen.',
    422: '`insufficient-funds`: the user has spent a part of the amount; `params.max` is what is left. `idempotency-conflict`: the refund of another deposit used this key.',
  },
});
