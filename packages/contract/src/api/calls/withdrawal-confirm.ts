import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { paymentIdSchema } from '../scalar.ts';

/**
 * Submits a held withdrawal (WD-2). Where `confirmation` was answered, `code` is what the user got; without one the request is
 * invalid and no attempt is spent. The same wrong code again costs nothing, so that a repeat on a bad network is harmless.
 */
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
    'code-wrong',
    'code-expired',
    'code-attempts',
    'banking.merchantClientError',
    'provider-error',
    'unknown-outcome',
  ],
});
