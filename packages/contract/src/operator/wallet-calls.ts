/** The calls of the cashier to an operator's own wallet, as staff see them (SRV-1). */
import * as v from 'valibot';
import { decimalStringSchema, instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { shownCurrencySchema, shownUserSchema } from './fields.ts';
import { pageEntries, pageSchema } from './paging.ts';
import { walletCallTypes } from './wallet.ts';

const types = Object.keys(walletCallTypes) as [keyof typeof walletCallTypes, ...(keyof typeof walletCallTypes)[]];

export const knownWalletCallSchema = v.object({
  /** The idempotency key at the wallet. */
  callId: paymentIdSchema,
  /** What the wallet must do. */
  type: v.picklist(types),
  /** Why the money moves, such as `deposit`, `withdrawal`, `refund` or `chargeback`. @example "deposit" */
  reason: v.string(),
  userId: shownUserSchema,
  /** The amount that moves. */
  amount: decimalStringSchema,
  currency: shownCurrencySchema,
  /** The deposit whose money moves. Absent: the call is about a withdrawal. */
  depositId: v.optional(paymentIdSchema),
  /** The withdrawal whose money moves. Absent: the call is about a deposit. */
  withdrawalId: v.optional(paymentIdSchema),
  /** `waiting`: the outcome is unknown, and the wallet is asked again. `booked`: nobody is asked (the mode `pass-through`). */
  state: v.picklist(['waiting', 'done', 'declined', 'booked']),
  /** How often the wallet was asked. Absent: the call does not wait. @example 3 */
  tries: v.optional(v.number()),
  /** Why the outcome of the last try is unknown. @example "status 503" */
  why: v.optional(v.string()),
  /** When the wallet is asked next. */
  next: v.optional(instantSchema),
  /** The wallet's own id of the movement. @example "wallet-1042" */
  transactionId: v.optional(v.string()),
  /** Why the wallet declined. @example "insufficient-funds" */
  code: v.optional(v.string()),
  /** When the cashier made the call. */
  created: instantSchema,
  /** When the outcome became known. Absent: the call waits. */
  known: v.optional(instantSchema),
});
export type KnownWalletCall = v.InferOutput<typeof knownWalletCallSchema>;

/** Give at least one filter. Those that wait are few; the others are listed by their payment. */
export const walletCallQuerySchema = v.pipe(
  v.strictObject({
    /** Only the calls whose outcome is unknown. @example "waiting" */
    state: v.optional(v.literal('waiting')),
    /** Only the calls about this deposit. */
    depositId: v.optional(paymentIdSchema),
    /** Only the calls about this withdrawal. */
    withdrawalId: v.optional(paymentIdSchema),
    ...pageEntries,
  }),
  v.check(
    ({ state, depositId, withdrawalId }) => [state, depositId, withdrawalId].some((filter) => filter !== undefined),
    'one of state, depositId and withdrawalId',
  ),
);
export type WalletCallQuery = v.InferOutput<typeof walletCallQuerySchema>;

export const walletCallPageSchema = pageSchema({
  /** Oldest first. */
  calls: v.array(knownWalletCallSchema),
});
export type WalletCallPage = v.InferOutput<typeof walletCallPageSchema>;

export const listWalletCalls = defineEndpoint({
  id: 'list-wallet-calls',
  method: 'GET',
  path: '/wallet-calls',
  summary:
    'Calls to the operator’s own wallet: those whose outcome is unknown, or those of one payment. Oldest first, page by page.',
  query: walletCallQuerySchema,
  response: walletCallPageSchema,
});
