import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { depositDataSchema, depositRequestEntries, payeeCardSchema, requisiteSchema } from '../deposit.ts';
import { formFieldSchema } from '../form-field.ts';
import { currencySchema, decimalStringSchema, durationSchema, methodNameSchema, paymentIdSchema } from '../scalar.ts';
import { depositCreateErrors } from './deposit-create.ts';

/** Creates a peer-to-peer deposit, or returns the open deposit with `exists` (DEP-11). */
export const depositCreateP2p = defineCall({
  name: 'deposit-create-p2p',
  method: 'POST',
  summary: 'Creates a peer-to-peer deposit and names the payee.',
  request: v.omit(
    v.object({
      ...depositRequestEntries,
      paymentMethod: methodNameSchema,
      bank: v.optional(v.string()),
      checkScore: v.optional(v.boolean()),
    }),
    ['paymentType', 'returnUrl', 'wallet'],
  ),
  response: v.object({
    depositId: paymentIdSchema,
    card: v.optional(v.nullable(payeeCardSchema)),
    created: v.optional(v.nullable(v.string())),
    payment_amount: v.optional(decimalStringSchema),
    payment_currency: v.optional(currencySchema),
    timeout_minutes: v.fallback(v.optional(v.nullable(durationSchema)), undefined),
    passedAmount: v.optional(decimalStringSchema),
    passedCurrency: v.optional(currencySchema),
    processingAmount: v.optional(decimalStringSchema),
    processingCurrency: v.optional(currencySchema),
    unifiedFlow: v.optional(v.boolean()),
    exists: v.optional(v.boolean()),
    isFieldsRequired: v.optional(v.boolean()),
    fields: v.optional(v.array(formFieldSchema)),
    requisites: v.optional(v.array(requisiteSchema)),
    instruction: depositDataSchema.entries.instruction,
    serverTime: v.optional(v.string()),
  }),
  retry: true,
  idempotency: { kind: 'key', field: 'depositId' },
  errors: depositCreateErrors,
});
