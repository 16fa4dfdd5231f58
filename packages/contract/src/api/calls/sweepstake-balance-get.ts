import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { currencySchema, decimalStringSchema } from '../scalar.ts';

/** Balances of the sweepstake coins (SWP-2): always one entry for GC and one for SC, zero when empty. */
export const sweepstakeBalanceGet = defineCall({
  name: 'sweepstake-balance-get',
  method: 'POST',
  summary: 'Balances in the sweepstake coins.',
  request: v.object({}),
  response: v.array(
    v.object({
      /** The coin. @example "SC" */
      currency: currencySchema,
      /** The coins that the user has. */
      balance: decimalStringSchema,
    }),
  ),
  retry: true,
  idempotency: { kind: 'read' },
});
