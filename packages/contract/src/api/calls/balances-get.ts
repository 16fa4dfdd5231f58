import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { countrySchema, currencySchema, decimalStringSchema, instantSchema } from '../scalar.ts';

/** What a balance is in the currency that was asked for, by a rate that moves no money. */
export const fiatValueSchema = v.object({
  /** Rounded down. */
  amount: decimalStringSchema,
  currency: currencySchema,
  /** When the rate was true. */
  rateAt: instantSchema,
  isStale: v.boolean(),
  /** Seconds until the rate counts as stale, by the server's clock; 0 when it does. */
  freshForSeconds: v.pipe(v.number(), v.integer(), v.minValue(0)),
});
export type FiatValue = v.InferOutput<typeof fiatValueSchema>;

export const balanceSchema = v.object({
  currency: currencySchema,
  kind: v.picklist(['fiat', 'crypto']),
  /** What may be spent, with all decimals of the currency. */
  balance: decimalStringSchema,
  /** Absent where no rate is known, and for a balance that is of that currency itself. */
  fiatValue: v.optional(fiatValueSchema),
});
export type Balance = v.InferOutput<typeof balanceSchema>;

/**
 * The accounts of a user as the crypto-balance product shows them (CRY-3): the account's own currency first, then those of the
 * country and of the cashier's beginning (USD and USDT), then whatever else the user has money in.
 */
export const balancesGet = defineCall({
  name: 'balances-get',
  method: 'GET',
  summary: 'Balances of the user in money of states and in coins, each with its value in one currency.',
  request: v.object({
    country: v.optional(countrySchema),
    /** In which balances are valued; default: the account's own where that is money of a state, else USD. */
    currency: v.optional(currencySchema),
  }),
  response: v.object({
    /** The currency of every `fiatValue`. */
    currency: currencySchema,
    balances: v.array(balanceSchema),
  }),
  retry: true,
  skipsOddItems: true,
});
