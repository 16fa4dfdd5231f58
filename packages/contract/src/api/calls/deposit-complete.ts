import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { fieldValuesSchema, methodNameSchema, paymentIdSchema } from '../scalar.ts';
import { transactionSchema } from '../transaction.ts';

/** The user pressed "I have paid". The server asks the provider for the status and credits nothing. */
export const depositComplete = defineCall({
  name: 'deposit-complete',
  method: 'POST',
  summary: 'Reports that the user has made the transfer.',
  request: v.object({
    depositId: paymentIdSchema,
    paymentMethod: methodNameSchema,
    /** bKash and Nagad: the receipt number (FORM-10). @example "123456789" */
    confirmationId: v.optional(v.pipe(v.string(), v.regex(/^\d{8,10}$/))),
    /**
     * The user's values for the `inputFields` of the create response, by field name (DEP-5).
     * The fields' rules check the values; a name without a field is refused. A repeat sends the values again.
     */
    fields: v.optional(fieldValuesSchema),
  }),
  response: transactionSchema,
  retry: true,
  errors: ['not-found', 'state-conflict', 'banking.paymentMethodRegex'],
});
