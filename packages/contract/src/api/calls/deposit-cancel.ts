import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { methodNameSchema, paymentIdSchema } from '../scalar.ts';
import { transactionSchema } from '../transaction.ts';

/**
 * Cancels a deposit that nobody has paid. A cancel may arrive before its create call; the late
 * create is then refused (DEP-11).
 */
export const depositCancel = defineCall({
  name: 'deposit-cancel',
  method: 'POST',
  summary: 'Cancels a deposit while it is still possible.',
  request: v.object({
    depositId: paymentIdSchema,
    paymentMethod: methodNameSchema,
    /** Voids the idempotency key of an unknown deposit, so that a late create is refused. A known deposit stays as it is. */
    ifUnknown: v.optional(v.boolean()),
  }),
  response: v.object({
    depositId: paymentIdSchema,
    /** Whether the deposit is cancelled now. */
    isCancelled: v.boolean(),
    /** The deposit as it is now. Absent: the server does not know it. */
    transaction: v.optional(transactionSchema),
  }),
  retry: true,
  errors: ['state-conflict'],
});
