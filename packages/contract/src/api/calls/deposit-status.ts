import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { methodNameSchema, paymentIdSchema } from '../scalar.ts';
import { transactionSchema } from '../transaction.ts';

/** The authoritative state of a deposit. A push is only a hint to call this. */
export const depositStatus = defineCall({
  name: 'deposit-status',
  method: 'GET',
  summary: 'The state of one deposit of this user.',
  request: v.object({ depositId: paymentIdSchema, paymentMethod: v.optional(methodNameSchema) }),
  response: transactionSchema,
  retry: true,
  errors: ['not-found'],
});
