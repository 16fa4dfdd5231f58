import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { boundedNumberSchema, boxIdSchema, currencySchema, decimalStringSchema, instantSchema } from '../scalar.ts';

/** A coin box and its content (§3 'Sweepstake box'). `core/sweepstake/coin-box` derives the shown values. */
export const sweepstakeBoxSchema = v.object({
  boxId: boxIdSchema,
  price: decimalStringSchema,
  priceCurrencyCode: currencySchema,
  /** `main` is the bought amount, `free` the free amount. Sweep coins (SC) are always free. */
  currenciesList: v.array(v.object({ currency: currencySchema, main: decimalStringSchema, free: decimalStringSchema })),
  position: v.optional(boundedNumberSchema),
  /** The kind of the badge. An unknown code shows no badge. */
  badge: v.optional(v.string()),
  /** The number of boxes left, if limited. 0: sold out, shown but not for sale. */
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
    boxes: v.array(v.object({ name: v.optional(v.string()), boxes: v.array(sweepstakeBoxSchema) })),
  }),
  retry: true,
  skipsOddItems: true,
  idempotency: { kind: 'read' },
});
