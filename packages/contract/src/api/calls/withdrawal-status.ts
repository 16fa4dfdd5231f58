import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { paymentIdSchema } from '../scalar.ts';
import { withdrawalTransactionSchema } from '../withdrawal.ts';
import { withdrawalConfirmationSchema } from '../withdrawal-confirmation.ts';

/** The truth about a withdrawal; every push is followed by this. */
export const withdrawalStatus = defineCall({
  name: 'withdrawal-status',
  method: 'GET',
  summary: 'How a withdrawal stands.',
  request: v.object({ withdrawalId: paymentIdSchema }),
  response: v.object({
    ...withdrawalTransactionSchema.entries,
    /** Set while the withdrawal can be confirmed and a code is wanted for it. Pushes do not carry it. */
    confirmation: v.optional(withdrawalConfirmationSchema),
    /** Where it goes, by the names of the form's fields and in their order: whole while it can be confirmed, masked afterwards. */
    destination: v.optional(v.array(v.object({ name: v.string(), value: v.string() }))),
  }),
  retry: true,
  errors: ['not-found'],
});
