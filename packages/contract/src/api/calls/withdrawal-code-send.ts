import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { paymentIdSchema } from '../scalar.ts';
import { withdrawalCodeSchema } from '../withdrawal-confirmation.ts';

/**
 * Sends a new confirmation code for a held withdrawal (WD-2). The previous code becomes invalid.
 * Before `resendAt` the server only returns the current state, so a repeat on a bad network sends one code.
 */
export const withdrawalCodeSend = defineCall({
  name: 'withdrawal-code-send',
  method: 'POST',
  summary: 'Sends another confirmation code for a withdrawal whose amount is held.',
  request: v.object({ withdrawalId: paymentIdSchema }),
  response: withdrawalCodeSchema,
  retry: true,
  idempotency: { kind: 'natural' },
  errors: ['not-found', 'state-conflict'],
});
