import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { methodNameSchema, paymentIdSchema } from '../scalar.ts';
import { transactionSchema } from '../transaction.ts';

/** The person says "I have paid". It asks the provider to look; it credits nothing. */
export const depositComplete = defineCall({
  name: 'deposit-complete',
  method: 'POST',
  summary: 'The person says that the transfer is made.',
  request: v.object({
    depositId: paymentIdSchema,
    paymentMethod: methodNameSchema,
    /** bKash and Nagad: the number of the receipt (FORM-10). */
    confirmationId: v.optional(v.pipe(v.string(), v.regex(/^\d{8,10}$/))),
  }),
  response: transactionSchema,
  retry: true,
  errors: ['not-found', 'state-conflict'],
});
