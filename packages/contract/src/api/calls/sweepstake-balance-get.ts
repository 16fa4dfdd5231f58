import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { currencySchema, decimalStringSchema } from '../scalar.ts';

/** Balances of the promotion's coins (SWP-2): always one entry for GC and one for SC, zero where there is nothing. */
export const sweepstakeBalanceGet = defineCall({
  name: 'sweepstake-balance-get',
  method: 'POST',
  summary: 'Balances in the coins of the promotion.',
  request: v.object({}),
  response: v.array(v.object({ currency: currencySchema, balance: decimalStringSchema })),
  retry: true,
  idempotency: { kind: 'read' },
});
