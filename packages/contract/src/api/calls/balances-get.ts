import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { countrySchema, currencySchema, decimalStringSchema, instantSchema } from '../scalar.ts';

/** The value of a balance in the requested currency. The rate is only for display and moves no money. */
export const fiatValueSchema = v.object({
  /** Rounded down. */
  amount: decimalStringSchema,
  /** The money currency into which the coins are converted, by ISO 4217. */
  currency: currencySchema,
  /** When the rate was valid. */
  rateAt: instantSchema,
  /** Whether the rate is stale. */
  isStale: v.boolean(),
  /** Seconds until the rate is stale, by the server's clock; 0 when the rate is stale. @example 60 */
  freshForSeconds: v.pipe(v.number(), v.integer(), v.minValue(0)),
});
export type FiatValue = v.InferOutput<typeof fiatValueSchema>;

export const balanceSchema = v.object({
  /** The currency of the account. */
  currency: currencySchema,
  /** Whether the currency is money of a country or a coin. */
  kind: v.picklist(['fiat', 'crypto']),
  /** The available balance, with all decimals of the currency. */
  balance: decimalStringSchema,
  /** Absent when no rate is known, and for a balance in the requested currency. */
  fiatValue: v.optional(fiatValueSchema),
});
export type Balance = v.InferOutput<typeof balanceSchema>;

/**
 * The user's accounts in the crypto-balance product (CRY-3).
 * Order: the account's own currency, the country's currency, USD and USDT, then every other currency with money.
 */
export const balancesGet = defineCall({
  name: 'balances-get',
  method: 'GET',
  summary: 'Balances of the user in fiat and crypto, each with its value in one currency.',
  request: v.object({
    country: v.optional(countrySchema),
    /** The currency of the values. Default: the account's own currency if that is fiat, otherwise USD. */
    currency: v.optional(currencySchema),
  }),
  response: v.object({
    /** The currency of every `fiatValue`. */
    currency: currencySchema,
    /** The balances, in the order of the screen. */
    balances: v.array(balanceSchema),
  }),
  retry: true,
  skipsOddItems: true,
});
