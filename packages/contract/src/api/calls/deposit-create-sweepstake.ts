import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { depositRequestEntries, depositResponseSchema } from '../deposit.ts';
import { depositCreateErrors } from './deposit-create.ts';

/** Buys a coin box (SWP-1). The price is the box's, whatever `amount` says. */
export const depositCreateSweepstake = defineCall({
  name: 'deposit-create-sweepstake',
  method: 'POST',
  summary: 'Creates the deposit that buys a coin box.',
  request: v.object({ ...depositRequestEntries, boxId: v.pipe(v.string(), v.minLength(1)) }),
  response: depositResponseSchema,
  retry: true,
  idempotency: { kind: 'key', field: 'depositId' },
  errors: depositCreateErrors,
});
