/** Deposits and withdrawals of all users, and refunds of deposits (SRV-1). */
import * as v from 'valibot';
import { currencySchema, decimalStringSchema, instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { accountTypes } from '../api/withdrawal.ts';
import { defineEndpoint } from './endpoint.ts';
import { askedInstantSchema, depositParams, staffSchema, statusNames, userIdSchema } from './fields.ts';
import { pageEntries, pageSchema } from './paging.ts';

/** Filters that are absent: all. */
export const transactionQuerySchema = v.strictObject({
  type: v.optional(v.picklist(['deposit', 'withdrawal'])),
  /** As its user sees it (section 4). */
  status: v.optional(v.picklist(statusNames)),
  userId: v.optional(userIdSchema),
  from: v.optional(v.pipe(askedInstantSchema, v.description('Created then or later.'))),
  to: v.optional(v.pipe(askedInstantSchema, v.description('Created before.'))),
  ...pageEntries,
});
export type TransactionQuery = v.InferOutput<typeof transactionQuerySchema>;

const sharedEntries = {
  userId: v.string(),
  paymentMethod: v.string(),
  /** Of the lifecycle; finer than `status`. */
  state: v.string(),
  status: v.picklist(statusNames),
  amount: decimalStringSchema,
  currency: currencySchema,
  created: instantSchema,
  updated: instantSchema,
};

export const transactionPageSchema = pageSchema({
  /** Newest first. */
  transactions: v.array(
    v.variant('type', [
      v.object({
        type: v.literal('deposit'),
        depositId: paymentIdSchema,
        ...sharedEntries,
        /** What the ledger credited; absent until it did. */
        creditedAmount: v.optional(decimalStringSchema),
      }),
      v.object({
        type: v.literal('withdrawal'),
        withdrawalId: paymentIdSchema,
        ...sharedEntries,
        accountType: v.picklist(accountTypes),
        /** Of the amount; the rest arrives. */
        fee: decimalStringSchema,
        receives: decimalStringSchema,
      }),
    ]),
  ),
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
  /** The operator's key of this refund: a repeat asks for nothing more and answers how it stands. */
  refundId: paymentIdSchema,
  staff: staffSchema,
  /** For the operator's own books; nobody else sees it. */
  reason: v.optional(v.pipe(v.string(), v.maxLength(200), v.regex(/^[^\p{Cc}]*$/u, 'no control characters'))),
});

export const refundResponseSchema = v.object({
  refundId: paymentIdSchema,
  depositId: paymentIdSchema,
  /** pending: the amount is held, and the provider is asked until it says what became of it. */
  state: v.picklist(['pending', 'declined', 'refunded']),
  /** All that was credited. */
  amount: decimalStringSchema,
  currency: currencySchema,
  staff: v.string(),
  created: instantSchema,
});
export type RefundView = v.InferOutput<typeof refundResponseSchema>;

export const refundDeposit = defineEndpoint({
  id: 'refund-deposit',
  method: 'POST',
  path: '/transactions/{depositId}/refund',
  summary: 'Refunds a credited deposit, wholly: once per `refundId`, and once per deposit.',
  params: depositParams,
  body: refundRequestSchema,
  response: refundResponseSchema,
  errors: {
    404: '`not-found`: no such deposit of this operator.',
    409: '`state-conflict`: it is not credited, is under review, bought a coin box, has a refund already, is of a provider that cannot refund, or the account is frozen.',
    422: '`insufficient-funds`: the user has spent of it; `params.max` says what is there. `idempotency-conflict`: another deposit had this key.',
  },
});
