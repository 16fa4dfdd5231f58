import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { paymentIdSchema } from '../scalar.ts';

/**
 * Submits a held withdrawal (WD-2). `code` is the code that the user received, if the create response has `confirmation`.
 * A missing code makes the request invalid and uses no attempt.
 * The same wrong code again uses no attempt, so a repeat on a bad network is harmless.
 */
export const withdrawalConfirm = defineCall({
  name: 'withdrawal-confirm',
  method: 'POST',
  summary: 'Submits a withdrawal whose amount is held.',
  request: v.object({
    withdrawalId: paymentIdSchema,
    /** The code that the user received. @example "482913" */
    code: v.optional(v.pipe(v.string(), v.maxLength(32))),
  }),
  response: v.object({
    withdrawalId: paymentIdSchema,
    /** The status: 0 waiting, 1 processed, 2 failed, 3 accepted. @values transactionStatusCodes @example 3 */
    status: v.number(),
  }),
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
