/** The sweepstake: coin boxes on sale, coins that the operator grants, and plays. */
import * as v from 'valibot';
import { boxIdSchema, currencySchema, decimalStringSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { askedInstantSchema, ownIdSchema, staffSchema, userParams } from './fields.ts';

/** Gold coins and sweep coins. @example "SC" */
const coinSchema = v.picklist(['GC', 'SC']);

export const grantRequestSchema = v.strictObject({
  /** The operator's idempotency key. A repeat grants nothing more. */
  grantId: ownIdSchema,
  currency: coinSchema,
  /** The number of coins, above zero. @example "10.00" */
  amount: decimalStringSchema,
  /** The reason, for the reader of the journal. @example "Birthday" */
  note: v.optional(v.pipe(v.string(), v.maxLength(200), v.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'one line of text'))),
});

export const playRequestSchema = v.strictObject({
  /** The operator's idempotency key. A repeat changes nothing. @example "play-9" */
  playId: ownIdSchema,
  currency: coinSchema,
  /** The stake of the play, above zero. @example "1.00" */
  staked: decimalStringSchema,
  /** The amount that the user got back, including the stake. `0`: the user lost the whole stake. @example "0" */
  won: decimalStringSchema,
});

export const coinStateSchema = v.object({
  currency: coinSchema,
  /** The coins that the user has. */
  balance: decimalStringSchema,
  /** The amount that the user must still play before it can be redeemed. Zero for gold coins. @example "5.00" */
  unplayed: decimalStringSchema,
  /** The amount that the user can redeem now. Zero for gold coins. @example "20.00" */
  redeemable: decimalStringSchema,
});
export type CoinStateView = v.InferOutput<typeof coinStateSchema>;

export const grantCoins = defineEndpoint({
  id: 'grant-coins',
  method: 'POST',
  path: '/users/{userId}/coin-grants',
  summary: 'Grants sweepstake coins to a user, once per `grantId`.',
  params: userParams,
  body: grantRequestSchema,
  response: coinStateSchema,
  errors: { 422: '`idempotency-conflict`: another grant used this id.' },
});

export const reportPlay = defineEndpoint({
  id: 'report-play',
  method: 'POST',
  path: '/users/{userId}/plays',
  summary: 'Reports a play with coins, once per `playId`. It changes the balance, and the stake counts as played.',
  params: userParams,
  body: playRequestSchema,
  response: coinStateSchema,
  errors: {
    422: '`insufficient-funds`: the balance does not cover the stake. `idempotency-conflict`: another play used this id.',
  },
});

export const boxTermsEntries = {
  /** The widget shows the boxes of one group together. @example "popular" */
  group: v.optional(v.pipe(v.string(), v.maxLength(64)), ''),
  /** The place among the boxes, in rising order. @example 1 */
  position: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000)), 0),
  /** A badge on the box. Absent: no badge. @example "popular" */
  badge: v.optional(v.pipe(v.string(), v.regex(/^[a-z-]{1,32}$/, 'a word such as popular'))),
  /** The price of the box, above zero. @example "9.99" */
  price: decimalStringSchema,
  /** The currency in which users pay for the box. */
  currency: currencySchema,
  /** The gold coins that the user buys; above zero. @example "10000" */
  gold: decimalStringSchema,
  /** The sweep coins that the user gets free. @example "10.00" */
  sweep: v.optional(decimalStringSchema, '0'),
  /** How many boxes are for sale in total. Absent: no limit. @example 500 */
  stock: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000_000))),
  /** When the sale begins. Absent: it has begun. */
  availableFrom: v.optional(askedInstantSchema),
  /** When the sale ends. Absent: it does not end. */
  availableUntil: v.optional(askedInstantSchema),
};

/** A box as its operator reads it. */
export const operatorBoxSchema = v.object({
  ...boxTermsEntries,
  boxId: boxIdSchema,
  /** How many boxes are sold or being paid for, counted since the box has a `stock`. @example 12 */
  taken: v.number(),
});
export type OperatorBox = v.InferOutput<typeof operatorBoxSchema>;

export const listBoxes = defineEndpoint({
  id: 'list-boxes',
  method: 'GET',
  path: '/sweepstake/boxes',
  summary: 'All coin boxes, including those that are not on sale now.',
  response: v.object({
    /** Every box, in the order of the widget. */
    boxes: v.array(operatorBoxSchema),
  }),
});

export const putBox = defineEndpoint({
  id: 'put-box',
  method: 'PUT',
  path: '/sweepstake/boxes/{boxId}',
  summary: 'Puts a coin box on sale, or changes it. Boxes that users have already bought do not change.',
  params: v.strictObject({ boxId: boxIdSchema }),
  body: v.strictObject({ ...boxTermsEntries, staff: v.optional(staffSchema) }),
  response: operatorBoxSchema,
  errors: { 409: '`state-conflict`: the box was sold or is being paid for, so its terms can no longer change.' },
});
