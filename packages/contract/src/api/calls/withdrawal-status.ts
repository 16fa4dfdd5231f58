import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { paymentIdSchema } from '../scalar.ts';
import { withdrawalTransactionSchema } from '../withdrawal.ts';

/** The truth about a withdrawal; every push is followed by this. */
export const withdrawalStatus = defineCall({
  name: 'withdrawal-status',
  method: 'GET',
  summary: 'How a withdrawal stands.',
  request: v.object({ withdrawalId: paymentIdSchema }),
  response: withdrawalTransactionSchema,
  retry: true,
  errors: ['not-found'],
});
