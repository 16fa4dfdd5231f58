import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { methodNameSchema } from '../scalar.ts';

/** The widget was closed while a deposit was being created: a notice for the operator's statistics, never a cancel (DEP-9). */
export const sessionFormOnCloseModal = defineCall({
  name: 'session-form-on-close-modal',
  method: 'POST',
  summary: 'Notice that the widget was closed during a creation.',
  request: v.object({
    paymentMethod: methodNameSchema,
    paymentMethodText: v.optional(v.string()),
    userId: v.optional(v.string()),
  }),
  response: v.object({}),
});
