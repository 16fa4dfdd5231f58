import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { fieldValuesSchema, methodNameSchema, paymentIdSchema } from '../scalar.ts';
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
    /**
     * What the person typed into the `inputFields` of the create's answer, by field name (DEP-5). Checked by their rules; a name
     * that the answer did not ask for is refused. A repeat says it anew, and says the same when nothing has changed.
     */
    fields: v.optional(fieldValuesSchema),
  }),
  response: transactionSchema,
  retry: true,
  errors: ['not-found', 'state-conflict', 'banking.paymentMethodRegex'],
});
