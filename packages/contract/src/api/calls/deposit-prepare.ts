import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { formFieldSchema } from '../form-field.ts';
import { methodNameSchema } from '../scalar.ts';

/** Methods that are marked `isPreparationRequired`: what they want to know before the create call. */
export const depositPrepare = defineCall({
  name: 'deposit-prepare',
  method: 'POST',
  summary: 'Prepares a method that needs it; may answer with more fields.',
  request: v.object({ paymentMethod: methodNameSchema }),
  response: v.object({ fields: v.optional(v.array(formFieldSchema)) }),
  retry: true,
  errors: ['method-unavailable'],
});
