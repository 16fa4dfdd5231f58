import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { paymentIdSchema } from '../scalar.ts';
import { destinationSchema, withdrawalTransactionSchema } from '../withdrawal.ts';
import { withdrawalConfirmationSchema } from '../withdrawal-confirmation.ts';

/** The authoritative state of a withdrawal. The widget calls this after every push. */
export const withdrawalStatus = defineCall({
  name: 'withdrawal-status',
  method: 'GET',
  summary: 'The state of one withdrawal of this user.',
  request: v.object({ withdrawalId: paymentIdSchema }),
  response: v.object({
    ...withdrawalTransactionSchema.entries,
    /** Present while the withdrawal waits for a confirmation code. Pushes do not contain it. */
    confirmation: v.optional(withdrawalConfirmationSchema),
    /**
     * The destination, by the form's field names and in their order. Unmasked until the withdrawal is
     * confirmed, masked afterwards.
     */
    destination: v.optional(destinationSchema),
  }),
  retry: true,
  errors: ['not-found'],
});
