import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { boundedNumberSchema, boxIdSchema, currencySchema, decimalStringSchema, instantSchema } from '../scalar.ts';

/** A coin box and its content (§3 'Sweepstake box'). `core/sweepstake/coin-box` derives the shown values. */
export const sweepstakeBoxSchema = v.object({
  boxId: boxIdSchema,
  /** The price of the box. @example "9.99" */
  price: decimalStringSchema,
  /** What the user pays with, by ISO 4217. */
  priceCurrencyCode: currencySchema,
  /** `main` is the bought amount, `free` the free amount. Sweep coins (SC) are always free. */
  currenciesList: v.array(
    v.object({
      /** The coin. @example "GC" */
      currency: currencySchema,
      /** The bought amount. @example "10000" */
      main: decimalStringSchema,
      /** The free amount. @example "0" */
      free: decimalStringSchema,
    }),
  ),
  /** The place in its group, in rising order. @example 1 */
  position: v.optional(boundedNumberSchema),
  /** The kind of the badge. An unknown code shows no badge. @example "popular" */
  badge: v.optional(v.string()),
  /** The number of boxes left, if limited. 0: sold out, shown but not for sale. @example 12 */
  remaining: v.optional(boundedNumberSchema),
  /** When the sale of the box ends. */
  availableUntil: v.optional(instantSchema),
});
export type SweepstakeBox = v.InferOutput<typeof sweepstakeBoxSchema>;

/** Coin boxes on sale (SWP-1). */
export const sweepstakeBoxes = defineCall({
  name: 'sweepstake-boxes',
  method: 'POST',
  summary: 'Coin boxes on sale.',
  request: v.object({}),
  response: v.object({
    /** In groups, each sorted by position. */
    boxes: v.array(
      v.object({
        /** The name of the group. Absent: the boxes have no group. @example "popular" */
        name: v.optional(v.string()),
        /** The boxes of the group. */
        boxes: v.array(sweepstakeBoxSchema),
      }),
    ),
  }),
  retry: true,
  skipsOddItems: true,
  idempotency: { kind: 'read' },
});
