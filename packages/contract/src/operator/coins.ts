/** The sweepstake: coin boxes on sale, coins that the operator gives, and plays. */
import * as v from 'valibot';
import { boxIdSchema, currencySchema, decimalStringSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { askedInstantSchema, ownIdSchema, userParams } from './fields.ts';

/** Gold coins and sweep coins. */
const coinSchema = v.picklist(['GC', 'SC']);

export const grantRequestSchema = v.strictObject({
  /** A repeat under the same id gives nothing more. */
  grantId: ownIdSchema,
  currency: coinSchema,
  /** Above zero. */
  amount: decimalStringSchema,
  /** The reason, for the reader of the journal. */
  note: v.optional(v.pipe(v.string(), v.maxLength(200), v.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'one line of text'))),
});

export const playRequestSchema = v.strictObject({
  /** A repeat under the same id counts nothing more. */
  playId: ownIdSchema,
  currency: coinSchema,
  /** Above zero. */
  staked: decimalStringSchema,
  /** What the user got back, the stake included; 0: the whole stake was lost. */
  won: decimalStringSchema,
});

export const coinStateSchema = v.object({
  currency: coinSchema,
  balance: decimalStringSchema,
  /** What must still be played before it can be redeemed, and what can be redeemed now; of gold both zero. */
  unplayed: decimalStringSchema,
  redeemable: decimalStringSchema,
});
export type CoinStateView = v.InferOutput<typeof coinStateSchema>;

export const grantCoins = defineEndpoint({
  id: 'grant-coins',
  method: 'POST',
  path: '/users/{userId}/coin-grants',
  summary: 'Gives coins of the sweepstake, once per `grantId`.',
  params: userParams,
  body: grantRequestSchema,
  response: coinStateSchema,
  errors: { 422: '`idempotency-conflict`: another grant had this id.' },
});

export const reportPlay = defineEndpoint({
  id: 'report-play',
  method: 'POST',
  path: '/users/{userId}/plays',
  summary: 'Reports a play with coins, once per `playId`: it moves the balance, and the stake counts as played.',
  params: userParams,
  body: playRequestSchema,
  response: coinStateSchema,
  errors: {
    422: '`insufficient-funds`: the balance does not cover the stake. `idempotency-conflict`: another play had this id.',
  },
});

export const boxTermsEntries = {
  /** Boxes of one group stand together. */
  group: v.optional(v.pipe(v.string(), v.maxLength(64)), ''),
  position: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000)), 0),
  badge: v.optional(v.pipe(v.string(), v.regex(/^[a-z-]{1,32}$/, 'a word such as popular'))),
  /** Above zero. */
  price: decimalStringSchema,
  /** A currency that people pay in. */
  currency: currencySchema,
  /** Gold coins, which are bought; above zero. */
  gold: decimalStringSchema,
  /** Sweep coins, which come free. */
  sweep: v.optional(decimalStringSchema, '0'),
  /** How many are put on sale in all; absent: as many as are wanted. */
  stock: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000_000))),
  availableFrom: v.optional(askedInstantSchema),
  availableUntil: v.optional(askedInstantSchema),
};

/** A box as its operator reads it back. */
export const operatorBoxSchema = v.object({
  ...boxTermsEntries,
  boxId: boxIdSchema,
  /** Boxes that are being paid for or were sold, while stock was counted. */
  taken: v.number(),
});
export type OperatorBox = v.InferOutput<typeof operatorBoxSchema>;

export const listBoxes = defineEndpoint({
  id: 'list-boxes',
  method: 'GET',
  path: '/sweepstake/boxes',
  summary: 'Coin boxes, also those that are not on sale now.',
  response: v.object({ boxes: v.array(operatorBoxSchema) }),
});

export const putBox = defineEndpoint({
  id: 'put-box',
  method: 'PUT',
  path: '/sweepstake/boxes/{boxId}',
  summary: 'Puts a coin box on sale or changes it; what was bought before stays what it was.',
  params: v.strictObject({ boxId: boxIdSchema }),
  body: v.strictObject(boxTermsEntries),
  response: operatorBoxSchema,
  errors: { 409: '`state-conflict`: the box was sold or is being paid for, so that its terms no longer change.' },
});
