import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { paymentIdSchema } from '../scalar.ts';

/** Submits a held withdrawal (WD-2). */
export const withdrawalConfirm = defineCall({
  name: 'withdrawal-confirm',
  method: 'POST',
  summary: 'Submits a withdrawal whose amount is held.',
  request: v.object({ withdrawalId: paymentIdSchema, code: v.optional(v.pipe(v.string(), v.maxLength(32))) }),
  response: v.object({ withdrawalId: paymentIdSchema, status: v.number() }),
  retry: true,
  idempotency: { kind: 'key', field: 'withdrawalId' },
  errors: [
    'not-found',
    'state-conflict',
    'in-flight',
    'banking.merchantClientError',
    'provider-error',
    'unknown-outcome',
  ],
});
