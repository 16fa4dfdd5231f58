import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { redirectFormSchema } from '../deposit.ts';
import { linkSchema, paymentIdSchema } from '../scalar.ts';

/** Goes on with an on-ramp deposit at the chosen offer (DEP-14). */
export const externalDepositContinue = defineCall({
  name: 'external-deposit-continue',
  method: 'POST',
  summary: 'Continues an on-ramp deposit; answers where to go.',
  request: v.object({ depositId: paymentIdSchema, method: v.optional(v.string()) }),
  response: v.object({
    redirect: v.optional(v.union([linkSchema, redirectFormSchema])),
    error: v.optional(v.string()),
  }),
  errors: ['not-found', 'state-conflict'],
});
