/** A user's token, balances, transfers and bonuses (SRV-1). */
import * as v from 'valibot';
import { bonusSchema } from '../api/bonus.ts';
import { countrySchema, currencySchema, decimalStringSchema, instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { accountTypes } from '../api/withdrawal.ts';
import { defineEndpoint } from './endpoint.ts';
import { localeSchema, moneySchema, shownUserSchema, userIdSchema, userParams } from './fields.ts';

export const userTokenRequestSchema = v.strictObject({
  userId: userIdSchema,
  /** The currency of the user's account. */
  currency: currencySchema,
  /** The country from which the user pays. It is the widget's first region. */
  country: v.optional(countrySchema, 'RU'),
  /** The language of the user. @example "en" */
  locale: v.optional(localeSchema),
});

export const createUserToken = defineEndpoint({
  id: 'create-user-token',
  method: 'POST',
  path: '/user-tokens',
  summary: 'Issues a token for one user, for the widget. It is valid for at most 15 minutes.',
  body: userTokenRequestSchema,
  response: v.object({
    /** The token. Give it to the widget's page. @example "eyJhbGciOiJIUzI1NiJ9.e30.x" */
    token: v.string(),
    /** When it expires. Issue another one then. */
    expiresAt: instantSchema,
  }),
});

const amountsSchema = v.array(moneySchema);

export const balancesResponseSchema = v.object({
  userId: shownUserSchema,
  /** The amounts that the user can spend from the main account. Zero balances are left out. */
  balances: amountsSchema,
  /** The amounts on the additional account (WD-1). */
  additional: amountsSchema,
  /** The amounts held for withdrawals in progress. Neither account contains these amounts. */
  held: amountsSchema,
  /** On the way to the operator's own wallet, which has not confirmed it yet. Absent: nothing. */
  inTransit: v.optional(amountsSchema),
});
export type Balance = v.InferOutput<typeof balancesResponseSchema>['balances'][number];

export const readBalances = defineEndpoint({
  id: 'read-balances',
  method: 'GET',
  path: '/users/{userId}/balances',
  summary: 'The balances of a user in the ledger.',
  params: userParams,
  response: balancesResponseSchema,
});

/** The accounts between which an operator can move money: the user's two accounts, and its own. */
const transferAccounts = [...accountTypes, 'operator'] as const;
/** Bonus money only leaves its account: the cashier grants it with a deposit. */
const transferSources = [...transferAccounts, 'bonus'] as const;
export type TransferAccount = (typeof transferSources)[number];

export const transferRequestSchema = v.pipe(
  v.strictObject({
    /** The operator's idempotency key of this transfer. A repeat moves nothing and gets the same answer with the current balances. */
    transferId: paymentIdSchema,
    /** The amount to move, above zero. */
    amount: decimalStringSchema,
    /** The currency of the amount. */
    currency: currencySchema,
    /**
     * The account that the money leaves. `bonus` to `operator`: you take the bonus over, or it has ended. `bonus` to `main`: the user
     * has earned it.
     */
    from: v.picklist(transferSources),
    /** The account that gets the money. It differs from `from`. @example "additional" */
    to: v.picklist(transferAccounts),
  }),
  v.forward(
    v.partialCheck([['from'], ['to']], ({ from, to }) => from !== to, 'another account than `from`'),
    ['to'],
  ),
);
export type TransferRequest = v.InferOutput<typeof transferRequestSchema>;

export const transferResponseSchema = v.object({
  /** The operator's idempotency key of the transfer. */
  transferId: paymentIdSchema,
  userId: shownUserSchema,
  amount: decimalStringSchema,
  currency: currencySchema,
  /** The account that the money left. */
  from: v.picklist(transferSources),
  /** The account that got the money. @example "additional" */
  to: v.picklist(transferAccounts),
  /** When the money was moved. */
  created: instantSchema,
  /** The user's balances in this currency, at the time of the answer. */
  balances: v.object({
    /** The balance of the main account. */
    main: decimalStringSchema,
    /** The balance of the additional account. @example "40.00" */
    additional: decimalStringSchema,
  }),
});
export type TransferResponse = v.InferOutput<typeof transferResponseSchema>;

export const transfer = defineEndpoint({
  id: 'transfer-funds',
  method: 'POST',
  path: '/users/{userId}/transfers',
  summary:
    'Moves money, once per `transferId`: between the two accounts of a user, or between one of them and the operator.',
  params: userParams,
  body: transferRequestSchema,
  response: transferResponseSchema,
  errors: {
    409: '`state-conflict`: the account is frozen by a debt; or the operator keeps the balances itself (`params.walletMode`), so money moves only by the calls to its wallet.',
    422: '`insufficient-funds`: `params.max` is the balance. `idempotency-conflict`: another transfer used this key.',
  },
});

export const bonusesResponseSchema = v.object({
  userId: shownUserSchema,
  /** The bonuses that the user can get now, by the database's clock. Pass them to the widget as `bonusList`. */
  bonuses: v.array(bonusSchema),
  /**
   * Where they come from. `list`: the list of `/bonuses`. `engine`: the operator's own bonus engine. `last-answer`: the last answer of the
   * engine, which does not answer now. `fallback`: the setting for an engine that does not answer.
   */
  source: v.picklist(['list', 'engine', 'last-answer', 'fallback']),
  /** Bonus money that the user has left, by currency. */
  balances: amountsSchema,
});

export const readBonuses = defineEndpoint({
  id: 'read-bonuses',
  method: 'GET',
  path: '/users/{userId}/bonuses',
  summary: 'The bonuses that a user can get now. The host passes them to the widget.',
  params: userParams,
  query: v.strictObject({
    /** Only bonuses in this currency. Absent: in every currency. */
    currency: v.optional(currencySchema),
    /** The language of the titles. */
    locale: v.optional(localeSchema),
  }),
  response: bonusesResponseSchema,
});
