import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { paymentIdSchema } from '../scalar.ts';
import { withdrawalCodeSchema } from '../withdrawal-confirmation.ts';

/**
 * Sends a new code for a held withdrawal (WD-2); the one before is no longer good. Before `resendAt` nothing is sent and the
 * answer says how it stands, so that a repeat on a bad network sends one code.
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
