import * as v from 'valibot';
import { defineCall } from '../call.ts';
import {
  countrySchema,
  currencySchema,
  decimalStringSchema,
  fieldValuesSchema,
  methodNameSchema,
  paymentIdSchema,
  textSchema,
} from '../scalar.ts';
import { accountTypes, payoutSchema } from '../withdrawal.ts';
import { withdrawalConfirmationSchema } from '../withdrawal-confirmation.ts';

/** Holds the amount on the ledger and says what will arrive (WD-2). */
export const withdrawalCreate = defineCall({
  name: 'withdrawal-create',
  method: 'POST',
  summary: 'Creates a withdrawal: holds the amount and names fee and result.',
  request: v.object({
    withdrawalId: paymentIdSchema,
    amount: decimalStringSchema,
    currency: currencySchema,
    paymentMethod: methodNameSchema,
    fields: v.optional(fieldValuesSchema, {}),
    /** Pays to an account that this user has kept for the method, instead of `fields` (WD-1). */
    payoutAccountId: v.optional(paymentIdSchema),
    /** Keeps the account for the next withdrawal once this one is confirmed. */
    keepsAccount: v.optional(v.boolean()),
    wallet: v.optional(textSchema),
    selectedCountry: v.optional(countrySchema),
    accountType: v.optional(v.picklist(accountTypes), 'main'),
    /** The `quote` of `payment-convert-v2` that was on screen; needed where another currency arrives (SWP-2). */
    quote: v.optional(v.pipe(v.string(), v.maxLength(512))),
  }),
  response: v.object({
    withdrawalId: paymentIdSchema,
    status: v.number(),
    fee: decimalStringSchema,
    receives: decimalStringSchema,
    /** Absent where what arrives is of `currency` itself. */
    payout: v.optional(payoutSchema),
    /** Set where a code must be given to `withdrawal-confirm`. */
    confirmation: v.optional(withdrawalConfirmationSchema),
  }),
  retry: true,
  idempotency: { kind: 'key', field: 'withdrawalId' },
  errors: [
    'limit-min',
    'limit-max',
    'method-unavailable',
    'insufficient-funds',
    'playthrough-required',
    'rate-stale',
    'banking.paymentMethodRegex',
    'idempotency-conflict',
    'state-conflict',
    'in-flight',
  ],
});
