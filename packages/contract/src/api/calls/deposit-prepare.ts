import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { formFieldSchema } from '../form-field.ts';
import { methodNameSchema } from '../scalar.ts';

/** For methods with `isPreparationRequired`: returns the fields that the method needs before the create call. */
export const depositPrepare = defineCall({
  name: 'deposit-prepare',
  method: 'POST',
  summary: 'Prepares a method that requires it; the response may contain more fields.',
  request: v.object({ paymentMethod: methodNameSchema }),
  response: v.object({
    /** The fields that the method needs. Absent: it needs no more. */
    fields: v.optional(v.array(formFieldSchema)),
  }),
  retry: true,
  errors: ['method-unavailable'],
});
