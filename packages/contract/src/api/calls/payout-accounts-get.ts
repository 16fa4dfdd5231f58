import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { currencySchema, methodNameSchema } from '../scalar.ts';
import { payoutAccountSchema } from '../withdrawal.ts';

/**
 * The user's saved payout accounts for a method (WD-1), the last used first. They are masked, so
 * nobody can read them in full.
 */
export const payoutAccountsGet = defineCall({
  name: 'payout-accounts-get',
  method: 'GET',
  summary: "The user's saved payout accounts for a withdrawal method.",
  request: v.object({
    paymentMethod: methodNameSchema,
    /** The currency of the withdrawal. Needed for methods that pay to cards which paid: the cards differ by currency. */
    currency: v.optional(currencySchema),
  }),
  response: v.object({
    /** The saved accounts, the last used first. */
    accounts: v.array(payoutAccountSchema),
  }),
  retry: true,
});
