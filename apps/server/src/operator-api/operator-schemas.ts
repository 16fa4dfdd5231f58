/** What the backends of operators ask and are answered: the public API under `/operator/v1`, also for its reference page. */
import {
  accountTypes,
  bonusSchema,
  countrySchema,
  currencySchema,
  decimalStringSchema,
  instantSchema,
  paymentIdSchema,
  type TransactionStatus,
  transactionStatusCodes,
} from '@opencashier/contract/api';
import * as v from 'valibot';
import { askedInstantSchema } from '../requests/asked-instant.ts';
import { momentAndId, pagedList } from '../requests/page-cursor.ts';

/** How the operator names its user; opaque to the cashier. */
export const userIdSchema = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,128}$/, 'printable characters without spaces'));

const localeSchema = v.pipe(v.string(), v.maxLength(35));

export const userTokenRequestSchema = v.strictObject({
  userId: userIdSchema,
  /** The currency of the user's account. */
  currency: currencySchema,
  /** Where the user pays from; the widget's first region. */
  country: v.optional(countrySchema, 'RU'),
  locale: v.optional(localeSchema),
});

export const userTokenResponseSchema = v.object({ token: v.string(), expiresAt: instantSchema });

const amountsSchema = v.array(v.object({ currency: currencySchema, amount: decimalStringSchema }));

export const balancesResponseSchema = v.object({
  userId: v.string(),
  /** What the user may spend on the main account. Those that are not zero. */
  balances: amountsSchema,
  /** On the additional account (WD-1). */
  additional: amountsSchema,
  /** Held for withdrawals that are under way: on neither account. */
  held: amountsSchema,
});

/** Accounts that an operator moves money between: two of the user's, and its own. */
const transferAccounts = [...accountTypes, 'operator'] as const;
export type TransferAccount = (typeof transferAccounts)[number];

export const transferRequestSchema = v.pipe(
  v.strictObject({
    /** The operator's key of this transfer: a repeat moves nothing and answers the same. */
    transferId: paymentIdSchema,
    amount: decimalStringSchema,
    currency: currencySchema,
    from: v.picklist(transferAccounts),
    to: v.picklist(transferAccounts),
  }),
  v.forward(
    v.partialCheck([['from'], ['to']], ({ from, to }) => from !== to, 'another account than `from`'),
    ['to'],
  ),
);
export type TransferRequest = v.InferOutput<typeof transferRequestSchema>;

export const transferResponseSchema = v.object({
  transferId: paymentIdSchema,
  userId: v.string(),
  amount: decimalStringSchema,
  currency: currencySchema,
  from: v.picklist(transferAccounts),
  to: v.picklist(transferAccounts),
  created: instantSchema,
  /** Of the user, in this currency, at the time of the answer. */
  balances: v.object({ main: decimalStringSchema, additional: decimalStringSchema }),
});
export type TransferResponse = v.InferOutput<typeof transferResponseSchema>;

/** `locale`: in which the titles are said. */
export const bonusQuerySchema = v.strictObject({
  currency: v.optional(currencySchema),
  locale: v.optional(localeSchema),
});

export const bonusesResponseSchema = v.object({
  userId: v.string(),
  /** What the user can have now, by the database's clock: hand it to the widget as `bonusList`. */
  bonuses: v.array(bonusSchema),
  /** Bonus money that was given and is left, by currency. */
  balances: v.array(v.object({ currency: currencySchema, amount: decimalStringSchema })),
});

const statusNames = Object.keys(transactionStatusCodes) as [TransactionStatus, ...TransactionStatus[]];

export const transactionList = pagedList('transactions', momentAndId);

/** The query of `GET /operator/v1/transactions`; filters that are absent: all. */
export const transactionQuerySchema = v.strictObject({
  type: v.optional(v.picklist(['deposit', 'withdrawal'])),
  /** As its user sees it (§4). */
  status: v.optional(v.picklist(statusNames)),
  userId: v.optional(userIdSchema),
  /** Created at this instant or later. */
  from: v.optional(askedInstantSchema),
  /** Created before this instant. */
  to: v.optional(askedInstantSchema),
  ...transactionList.entries,
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

export const transactionPageSchema = v.object({
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
  /** Give it as `cursor` for what is older; absent on the last page. */
  nextCursor: v.optional(v.string()),
});

export type Balance = v.InferOutput<typeof balancesResponseSchema>['balances'][number];
export type TransactionPage = v.InferOutput<typeof transactionPageSchema>;
