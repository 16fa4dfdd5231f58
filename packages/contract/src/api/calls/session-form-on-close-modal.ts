import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { methodNameSchema } from '../scalar.ts';

/**
 * The widget was closed during the creation of a deposit. The notice is for the operator's statistics;
 * it cancels nothing (DEP-9).
 */
export const sessionFormOnCloseModal = defineCall({
  name: 'session-form-on-close-modal',
  method: 'POST',
  summary: 'Reports that the widget was closed during the creation of a deposit.',
  request: v.object({
    paymentMethod: methodNameSchema,
    /** The title of the method as the user saw it. @example "Card" */
    paymentMethodText: v.optional(v.string()),
    /** The operator's id of the user. @example "u-1042" */
    userId: v.optional(v.string()),
  }),
  response: v.object({}),
});
