import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { paymentIdSchema } from '../scalar.ts';

/** Deletes a kept account for good (WD-1). Withdrawals that went there are not touched. */
export const payoutAccountRemove = defineCall({
  name: 'payout-account-remove',
  method: 'POST',
  summary: 'Deletes an account that the user has kept.',
  request: v.object({ accountId: paymentIdSchema }),
  response: v.object({ accountId: paymentIdSchema }),
  retry: true,
  idempotency: { kind: 'natural' },
});
