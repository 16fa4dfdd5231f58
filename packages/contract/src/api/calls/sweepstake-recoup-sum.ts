import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { currencySchema, decimalStringSchema } from '../scalar.ts';

/** The sweep coins that the user must still stake before redemption (SWP-2). */
export const sweepstakeRecoupSum = defineCall({
  name: 'sweepstake-recoup-sum',
  method: 'POST',
  summary: 'The unplayed part of a balance.',
  request: v.object({
    /** The coin. @example "SC" */
    currency: currencySchema,
  }),
  response: v.object({
    /** The state of the coins. */
    data: v.object({
      /** `unplayed` while coins must still be staked, otherwise `played`. @values ["unplayed", "played"] */
      status: v.string(),
      /** The amount that must still be staked. */
      amount: decimalStringSchema,
      /** The amount that can be redeemed now: the balance minus its unplayed part. Always zero for gold coins (GC). */
      redeemable: v.optional(decimalStringSchema),
    }),
  }),
  retry: true,
  idempotency: { kind: 'read' },
});
