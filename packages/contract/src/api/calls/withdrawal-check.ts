import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { currencySchema } from '../scalar.ts';
import { withdrawalTransactionSchema } from '../withdrawal.ts';

/** Asks for an unconfirmed withdrawal, so that the user continues it instead of holding the amount twice (WD-2). */
export const withdrawalCheck = defineCall({
  name: 'withdrawal-check',
  method: 'POST',
  summary: 'The last unconfirmed withdrawal of a currency, if there is one.',
  request: v.object({ currency: currencySchema }),
  response: v.object({
    /** Absent: no withdrawal waits for confirmation. */
    withdrawal: v.optional(withdrawalTransactionSchema),
  }),
  retry: true,
  idempotency: { kind: 'read' },
});
