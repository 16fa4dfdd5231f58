/** Whether the money of players is there: what is owed to users, and where the money is (SRV-2). */
import * as v from 'valibot';
import { instantSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { askedInstantSchema, shownCurrencySchema, signedDecimalSchema } from './fields.ts';

export const playerFundsQuery = v.strictObject({
  /** The time of the statement. Absent: now. @example "2026-01-31T23:59:59Z" */
  at: v.optional(askedInstantSchema),
});
export type PlayerFundsQuery = v.InferOutput<typeof playerFundsQuery>;

const chainBalanceSchema = v.object({
  /** The chain, as in your settings. @example "ethereum" */
  chain: v.string(),
  currency: shownCurrencySchema,
  /** What the chain says: your receiving addresses, and the hot wallet if you own it. */
  found: signedDecimalSchema,
  /** What the ledger and the payouts say, without the differences that two people have ended. */
  expected: signedDecimalSchema,
  /** Incoming money in progress, which the chain may have beyond that. */
  mayBeIn: signedDecimalSchema,
  /** Outgoing money in progress, which the chain may not have any more. */
  mayBeOut: signedDecimalSchema,
  /** The balances were read between these blocks. @example 21000000 */
  firstBlock: v.number(),
  /** The height of the chain when the last balance was read. @example 21000040 */
  lastBlock: v.number(),
  /** Addresses with coins. @example 120 */
  addresses: v.number(),
  read: instantSchema,
  /** `read`, where the balance is older than 36 hours: nobody has compared it since. Absent: it is up to date. */
  notComparedSince: v.optional(instantSchema),
});
export type ChainBalanceView = v.InferOutput<typeof chainBalanceSchema>;

export const playerFundsSchema = v.object({
  /** The time of the statement. */
  at: instantSchema,
  /** A row for each currency. */
  currencies: v.array(
    v.object({
      currency: shownCurrencySchema,
      /** Balances and held money of users, and money on its way to your own wallet. */
      owedToUsers: signedDecimalSchema,
      /** Payments that staff must decide about. They belong to payers. */
      inReview: signedDecimalSchema,
      /** What providers have paid to your bank, by the approved statements, and `onChain`. */
      bank: signedDecimalSchema,
      /** What chains said you have of a coin. Absent: no chain was read. */
      onChain: v.optional(signedDecimalSchema),
      /** The oldest time of a reading in `onChain` that is older than 36 hours. Absent: all of it is up to date. */
      notComparedSince: v.optional(instantSchema),
      /** What providers still owe you. Of a coin with `onChain`: what moved since the chains were read. Negative: more left than came. */
      inTransit: signedDecimalSchema,
      /** `bank` and `inTransit`, less `owedToUsers` and `inReview`. Below zero: money of players is missing. */
      surplus: signedDecimalSchema,
    }),
  ),
  /** The last reading of each chain and coin until then, with its differences. */
  chains: v.array(chainBalanceSchema),
});
export type PlayerFunds = v.InferOutput<typeof playerFundsSchema>;

export const readPlayerFunds = defineEndpoint({
  id: 'read-player-funds',
  method: 'GET',
  path: '/player-funds',
  summary: 'The statement of player funds by currency, as of a time: what is owed to users, and where the money is.',
  query: playerFundsQuery,
  response: playerFundsSchema,
  errors: { 409: '`state-conflict`: the time is in the future, or in months that have left the database.' },
});
