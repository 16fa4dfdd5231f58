import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { boundedNumberSchema, boxIdSchema, currencySchema, decimalStringSchema, instantSchema } from '../scalar.ts';

/** A coin box and what is in it (§3 'Sweepstake box'). `core/sweepstake/coin-box` derives what is shown. */
export const sweepstakeBoxSchema = v.object({
  boxId: boxIdSchema,
  price: decimalStringSchema,
  priceCurrencyCode: currencySchema,
  /** `main` is what is bought, `free` what is given with it: sweep coins (SC) are only ever free. */
  currenciesList: v.array(v.object({ currency: currencySchema, main: decimalStringSchema, free: decimalStringSchema })),
  position: v.optional(boundedNumberSchema),
  /** What the badge on the box says; a code that the widget does not know is no badge. */
  badge: v.optional(v.string()),
  /** How many are left, where there are only so many. 0: sold out, shown but not for sale. */
  remaining: v.optional(boundedNumberSchema),
  /** When its sale ends. */
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
    /** In groups, each in order of position. */
    boxes: v.array(v.object({ name: v.optional(v.string()), boxes: v.array(sweepstakeBoxSchema) })),
  }),
  retry: true,
  skipsOddItems: true,
  idempotency: { kind: 'read' },
});
