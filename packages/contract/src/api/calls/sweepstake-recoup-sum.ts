import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { currencySchema, decimalStringSchema } from '../scalar.ts';

/** How much of the sweep coins must still be played before they can be redeemed (SWP-2). */
export const sweepstakeRecoupSum = defineCall({
  name: 'sweepstake-recoup-sum',
  method: 'POST',
  summary: 'The unplayed part of a balance.',
  request: v.object({ currency: currencySchema }),
  response: v.object({ data: v.object({ status: v.string(), amount: decimalStringSchema }) }),
  retry: true,
  idempotency: { kind: 'read' },
});
