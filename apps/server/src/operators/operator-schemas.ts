/** What the backends of operators ask and are answered: the public API under `/operator/v1`, also for its reference page. */
import {
  bonusSchema,
  countrySchema,
  currencySchema,
  decimalStringSchema,
  instantSchema,
  paymentIdSchema,
} from '@opencashier/contract/api';
import * as v from 'valibot';

/** How the operator names its user; opaque to the cashier. */
export const userIdSchema = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,128}$/, 'printable characters without spaces'));

export const userTokenRequestSchema = v.strictObject({
  userId: userIdSchema,
  /** The currency of the user's account. */
  currency: currencySchema,
  /** Where the user pays from; the widget's first region. */
  country: v.optional(countrySchema, 'RU'),
  locale: v.optional(v.pipe(v.string(), v.maxLength(35))),
});

export const userTokenResponseSchema = v.object({ token: v.string(), expiresAt: instantSchema });

export const balancesResponseSchema = v.object({
  userId: v.string(),
  /** Those that are not zero. */
  balances: v.array(v.object({ currency: currencySchema, amount: decimalStringSchema })),
});

export const bonusQuerySchema = v.strictObject({ currency: v.optional(currencySchema) });

export const bonusesResponseSchema = v.object({
  userId: v.string(),
  /** What the user can have now, by the database's clock: hand it to the widget as `bonusList`. */
  bonuses: v.array(bonusSchema),
  /** Bonus money that was given and is left, by currency. */
  balances: v.array(v.object({ currency: currencySchema, amount: decimalStringSchema })),
});

export const transactionPageSchema = v.object({
  /** Newest first. */
  transactions: v.array(
    v.object({
      depositId: paymentIdSchema,
      userId: v.string(),
      paymentMethod: v.string(),
      state: v.string(),
      amount: decimalStringSchema,
      currency: currencySchema,
      /** What the ledger credited; absent until it did. */
      creditedAmount: v.optional(decimalStringSchema),
      created: instantSchema,
      updated: instantSchema,
    }),
  ),
  /** Give it as `cursor` for what is older; absent on the last page. */
  nextCursor: v.optional(v.string()),
});

export type Balance = v.InferOutput<typeof balancesResponseSchema>['balances'][number];
export type TransactionPage = v.InferOutput<typeof transactionPageSchema>;
