import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { paymentIdSchema } from '../scalar.ts';

/** Releases a held withdrawal (WD-2). A cancel that comes before its create wins: the late create is refused. */
export const withdrawalCancel = defineCall({
  name: 'withdrawal-cancel',
  method: 'POST',
  summary: 'Cancels a withdrawal and releases the held amount.',
  request: v.object({
    withdrawalId: paymentIdSchema,
    /** Voids the key of a withdrawal that the server does not know, so that a late create is refused. A known one stays as it is. */
    ifUnknown: v.optional(v.boolean()),
  }),
  response: v.object({
    withdrawalId: paymentIdSchema,
    status: v.number(),
    /** Answers `ifUnknown`: the server did not know the withdrawal, and no create can make it any more. */
    isVoided: v.optional(v.boolean()),
  }),
  retry: true,
  idempotency: { kind: 'key', field: 'withdrawalId' },
  errors: ['state-conflict'],
});
