import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { paymentIdSchema } from '../scalar.ts';

/**
 * Cancels a withdrawal and releases its hold (WD-2). A cancel may arrive before its create call; the late create is refused.
 */
export const withdrawalCancel = defineCall({
  name: 'withdrawal-cancel',
  method: 'POST',
  summary: 'Cancels a withdrawal and releases the held amount.',
  request: v.object({
    withdrawalId: paymentIdSchema,
    /**
     * Voids the idempotency key of an unknown withdrawal, so that a late create is refused. A known
     * withdrawal stays as it is.
     */
    ifUnknown: v.optional(v.boolean()),
  }),
  response: v.object({
    withdrawalId: paymentIdSchema,
    /** The status: 0 waiting, 1 processed, 2 failed, 3 accepted. @values transactionStatusCodes @example 2 */
    status: v.number(),
    /** The result of `ifUnknown`: the server did not know the withdrawal, and no create call can create it any more. */
    isVoided: v.optional(v.boolean()),
  }),
  retry: true,
  idempotency: { kind: 'key', field: 'withdrawalId' },
  errors: ['state-conflict'],
});
