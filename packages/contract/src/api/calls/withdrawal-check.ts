import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { currencySchema } from '../scalar.ts';
import { withdrawalTransactionSchema } from '../withdrawal.ts';

/** Asks for a withdrawal that its person has not confirmed, so that they can go on with it instead of holding money twice (WD-2). */
export const withdrawalCheck = defineCall({
  name: 'withdrawal-check',
  method: 'POST',
  summary: 'The last unconfirmed withdrawal of a currency, if there is one.',
  request: v.object({ currency: currencySchema }),
  /** `withdrawal` is absent where nothing waits to be confirmed. */
  response: v.object({ withdrawal: v.optional(withdrawalTransactionSchema) }),
  retry: true,
  idempotency: { kind: 'read' },
});
