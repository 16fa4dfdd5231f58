import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { methodNameSchema } from '../scalar.ts';
import { payoutAccountSchema } from '../withdrawal.ts';

/** The accounts that this user has kept for a method (WD-1), the one used last first. They are masked: nobody can read them whole. */
export const payoutAccountsGet = defineCall({
  name: 'payout-accounts-get',
  method: 'GET',
  summary: 'Accounts that the user has kept for a withdrawal method.',
  request: v.object({ paymentMethod: methodNameSchema }),
  response: v.object({ accounts: v.array(payoutAccountSchema) }),
  retry: true,
});
