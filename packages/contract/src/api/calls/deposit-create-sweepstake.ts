import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { depositRequestEntries, depositResponseSchema } from '../deposit.ts';
import { decimalStringSchema } from '../scalar.ts';
import { depositCreateErrors } from './deposit-create.ts';

/** Buys a coin box (SWP-1). The price and the currency come from the box; `amount` and `currency` are ignored. */
export const depositCreateSweepstake = defineCall({
  name: 'deposit-create-sweepstake',
  method: 'POST',
  summary: 'Creates the deposit that buys a coin box.',
  request: v.object({
    ...depositRequestEntries,
    /** Without a box id: `invalid-request`, "No sweepstake box selected for sweepstake deposit". @example "starter" */
    boxId: v.optional(v.pipe(v.string(), v.maxLength(64)), ''),
    /** The price on the screen, in `currency`. A box with another price is not sold; the error is `box-changed`. @example "9.99" */
    boxPrice: v.optional(decimalStringSchema),
  }),
  response: depositResponseSchema,
  retry: true,
  idempotency: { kind: 'key', field: 'depositId' },
  errors: [...depositCreateErrors, 'not-found', 'box-sold-out', 'box-changed'],
});
