/** A user's token, balances, transfers and bonuses (SRV-1). */
import * as v from 'valibot';
import { bonusSchema } from '../api/bonus.ts';
import { countrySchema, currencySchema, decimalStringSchema, instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { accountTypes } from '../api/withdrawal.ts';
import { defineEndpoint } from './endpoint.ts';
import { localeSchema, userIdSchema, userParams } from './fields.ts';

export const userTokenRequestSchema = v.strictObject({
  userId: userIdSchema,
  /** The currency of the user's account. */
  currency: currencySchema,
  /** Where the user pays from; the widget's first region. */
  country: v.optional(countrySchema, 'RU'),
  locale: v.optional(localeSchema),
});

export const createUserToken = defineEndpoint({
  id: 'create-user-token',
  method: 'POST',
  path: '/user-tokens',
  summary: 'A token for one user, to hand to the widget; it lives at most 15 minutes.',
  body: userTokenRequestSchema,
  response: v.object({ token: v.string(), expiresAt: instantSchema }),
});

const amountsSchema = v.array(v.object({ currency: currencySchema, amount: decimalStringSchema }));

export const balancesResponseSchema = v.object({
  userId: v.string(),
  /** What the user may spend on the main account. Those that are not zero. */
  balances: amountsSchema,
  /** On the additional account (WD-1). */
  additional: amountsSchema,
  /** Held for withdrawals that are in progress: on neither account. */
  held: amountsSchema,
});
export type Balance = v.InferOutput<typeof balancesResponseSchema>['balances'][number];

export const readBalances = defineEndpoint({
  id: 'read-balances',
  method: 'GET',
  path: '/users/{userId}/balances',
  summary: 'What the ledger holds for a user.',
  params: userParams,
  response: balancesResponseSchema,
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

export const transfer = defineEndpoint({
  id: 'transfer-funds',
  method: 'POST',
  path: '/users/{userId}/transfers',
  summary:
    'Moves money between the two accounts of a user, or between one of them and the operator, once per `transferId`.',
  params: userParams,
  body: transferRequestSchema,
  response: transferResponseSchema,
  errors: {
    409: '`state-conflict`: the account is frozen until staff have decided about a debt.',
    422: '`insufficient-funds`: `params.max` says what is there. `idempotency-conflict`: another transfer had this key.',
  },
});

export const bonusesResponseSchema = v.object({
  userId: v.string(),
  /** What the user can have now, by the database's clock: hand it to the widget as `bonusList`. */
  bonuses: v.array(bonusSchema),
  /** Bonus money that was given and is left, by currency. */
  balances: amountsSchema,
});

export const readBonuses = defineEndpoint({
  id: 'read-bonuses',
  method: 'GET',
  path: '/users/{userId}/bonuses',
  summary: 'What a user can have now; the host hands it to the widget.',
  params: userParams,
  query: v.strictObject({
    currency: v.optional(currencySchema),
    /** The language of the titles. */
    locale: v.optional(localeSchema),
  }),
  response: bonusesResponseSchema,
});
