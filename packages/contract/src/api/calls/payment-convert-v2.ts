import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { currencySchema, decimalStringSchema } from '../scalar.ts';

/** What an amount is worth in another currency (SWP-2). */
export const paymentConvertV2 = defineCall({
  name: 'payment-convert-v2',
  method: 'POST',
  summary: 'Converts an amount at the current rate.',
  request: v.object({ amount: decimalStringSchema, from: currencySchema, to: currencySchema }),
  response: v.object({ amount: decimalStringSchema }),
  retry: true,
  idempotency: { kind: 'read' },
});
