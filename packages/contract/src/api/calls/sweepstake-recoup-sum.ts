import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { currencySchema, decimalStringSchema } from '../scalar.ts';

/** How much of the sweep coins must still be played before they can be redeemed (SWP-2). */
export const sweepstakeRecoupSum = defineCall({
  name: 'sweepstake-recoup-sum',
  method: 'POST',
  summary: 'The unplayed part of a balance.',
  request: v.object({ currency: currencySchema }),
  response: v.object({
    data: v.object({
      /** `unplayed` while something must still be played, else `played`. */
      status: v.string(),
      /** What must still be played. */
      amount: decimalStringSchema,
      /** What can be redeemed now: the balance without what is unplayed. Of gold coins (GC) always zero. */
      redeemable: v.optional(decimalStringSchema),
    }),
  }),
  retry: true,
  idempotency: { kind: 'read' },
});
