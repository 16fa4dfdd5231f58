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
      /** The bank that the user chose. @example "example-bank" */
      bank: v.optional(v.string()),
      /** Whether the provider checks the user before it names a payee. */
      checkScore: v.optional(v.boolean()),
    }),
    ['paymentType', 'returnUrl', 'wallet'],
  ),
  response: v.object({
    depositId: paymentIdSchema,
    /** The payee. Absent: the details are in `requisites`. */
    card: v.optional(v.nullable(payeeCardSchema)),
    /** When the provider opened the payment: ISO 8601, UTC. @example "2026-01-31T10:15:00Z" */
    created: v.optional(v.nullable(v.string())),
    /** The amount to pay, in `payment_currency`. */
    payment_amount: v.optional(decimalStringSchema),
    /** The currency of `payment_amount`. */
    payment_currency: v.optional(currencySchema),
    /** Minutes from `created` until the provider stops accepting the payment. @example 10 */
    timeout_minutes: v.fallback(v.optional(v.nullable(durationSchema)), undefined),
    /** The amount that the user asked to pay, in `passedCurrency`. */
    passedAmount: v.optional(decimalStringSchema),
    /** The currency of `passedAmount`. */
    passedCurrency: v.optional(currencySchema),
    /** The amount that the provider processes, in `processingCurrency`. */
    processingAmount: v.optional(decimalStringSchema),
    /** The currency of `processingAmount`. */
    processingCurrency: v.optional(currencySchema),
    /** The next page is the unified form. */
    unifiedFlow: v.optional(v.boolean()),
    /** An open deposit of the same kind, which the user continues. */
    exists: v.optional(v.boolean()),
    /** The method needs more fields from the user: show `fields` and stay. */
    isFieldsRequired: v.optional(v.boolean()),
    /** The fields that the method still needs. */
    fields: v.optional(v.array(formFieldSchema)),
    /** The details to pay to, in their order. */
    requisites: v.optional(v.array(requisiteSchema)),
    /** What the user has to do. */
    instruction: depositDataSchema.entries.instruction,
    /** The server's clock at the response. @example "2026-01-31T10:15:00Z" */
    serverTime: v.optional(v.string()),
  }),
  retry: true,
  idempotency: { kind: 'key', field: 'depositId' },
  errors: depositCreateErrors,
});
