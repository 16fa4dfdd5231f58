import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { methodNameSchema } from '../scalar.ts';

/** Finds the bank that issued a card (FORM-12). */
export const bankGet = defineCall({
  name: 'bank-get',
  method: 'POST',
  summary: 'The bank of a card, by the first digits of its number.',
  request: v.object({
    payment_method: methodNameSchema,
    /** The first six to eight digits of the card. @example "424242" */
    bin: v.pipe(v.string(), v.regex(/^\d{6,8}$/)),
  }),
  response: v.object({
    /** The bank. Null: it is not known. */
    bank: v.nullable(
      v.object({
        /** What the bank calls itself. @example "Example Bank" */
        name: v.string(),
        /** The country of the bank. @example "DE" */
        country: v.optional(v.string()),
      }),
    ),
  }),
  retry: true,
  idempotency: { kind: 'read' },
});
