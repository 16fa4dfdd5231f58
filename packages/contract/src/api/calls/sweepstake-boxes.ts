import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { currencySchema, decimalStringSchema } from '../scalar.ts';

/** A coin box and what is in it (§3 'Sweepstake box'). */
export const sweepstakeBoxSchema = v.object({
  boxId: v.string(),
  price: decimalStringSchema,
  priceCurrencyCode: currencySchema,
  currenciesList: v.array(v.object({ currency: currencySchema, main: decimalStringSchema, free: decimalStringSchema })),
});
export type SweepstakeBox = v.InferOutput<typeof sweepstakeBoxSchema>;

/** Coin boxes on sale (SWP-1). */
export const sweepstakeBoxes = defineCall({
  name: 'sweepstake-boxes',
  method: 'POST',
  summary: 'Coin boxes on sale.',
  request: v.object({}),
  response: v.object({
    boxes: v.array(v.object({ name: v.optional(v.string()), boxes: v.array(sweepstakeBoxSchema) })),
  }),
  retry: true,
  idempotency: { kind: 'read' },
});
