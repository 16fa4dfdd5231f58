import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { depositRequestEntries, depositResponseSchema } from '../deposit.ts';
import { decimalStringSchema } from '../scalar.ts';
import { depositCreateErrors } from './deposit-create.ts';

/** Buys a coin box (SWP-1). Price and currency are the box's, whatever `amount` and `currency` say. */
export const depositCreateSweepstake = defineCall({
  name: 'deposit-create-sweepstake',
  method: 'POST',
  summary: 'Creates the deposit that buys a coin box.',
  request: v.object({
    ...depositRequestEntries,
    /** Without one: `invalid-request`, "No sweepstake box selected for sweepstake deposit". */
    boxId: v.optional(v.pipe(v.string(), v.maxLength(64)), ''),
    /** The price that was on screen, in `currency`: a box that costs something else by now is `box-changed`, not bought. */
    boxPrice: v.optional(decimalStringSchema),
  }),
  response: depositResponseSchema,
  retry: true,
  idempotency: { kind: 'key', field: 'depositId' },
  errors: [...depositCreateErrors, 'not-found', 'box-sold-out', 'box-changed'],
});
