import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { paymentIdSchema } from '../scalar.ts';

/** Releases a held withdrawal (WD-2). A cancel that comes before its create wins: the late create is refused. */
export const withdrawalCancel = defineCall({
  name: 'withdrawal-cancel',
  method: 'POST',
  summary: 'Cancels a withdrawal and releases the held amount.',
  request: v.object({ withdrawalId: paymentIdSchema }),
  response: v.object({ withdrawalId: paymentIdSchema, status: v.number() }),
  retry: true,
  idempotency: { kind: 'key', field: 'withdrawalId' },
  errors: ['state-conflict'],
});
