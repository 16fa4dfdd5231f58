import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { redirectFormSchema } from '../deposit.ts';
import { linkSchema, paymentIdSchema } from '../scalar.ts';

/** Continues an on-ramp deposit with the chosen offer (DEP-14). */
export const externalDepositContinue = defineCall({
  name: 'external-deposit-continue',
  method: 'POST',
  summary: 'Continues an on-ramp deposit and returns the redirect.',
  request: v.object({
    depositId: paymentIdSchema,
    /** The offer that the user chose. @example "seller-a" */
    method: v.optional(v.string()),
  }),
  response: v.object({
    /** Where the widget sends the user: an address, or a form to submit. */
    redirect: v.optional(v.union([linkSchema, redirectFormSchema])),
    /** Why the payment cannot continue, as a locale key. @example "transaction.reason.declined" */
    error: v.optional(v.string()),
  }),
  errors: ['not-found', 'state-conflict'],
});
