import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { paymentIdSchema } from '../scalar.ts';

/** Deletes a saved payout account permanently (WD-1). Withdrawals to the account are not changed. */
export const payoutAccountRemove = defineCall({
  name: 'payout-account-remove',
  method: 'POST',
  summary: 'Deletes a saved payout account of the user.',
  request: v.object({
    /** The account to delete. */
    accountId: paymentIdSchema,
  }),
  response: v.object({
    /** The deleted account. */
    accountId: paymentIdSchema,
  }),
  retry: true,
  idempotency: { kind: 'natural' },
});
