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

/** Holds the amount on the ledger and returns the payout amount (WD-2). */
export const withdrawalCreate = defineCall({
  name: 'withdrawal-create',
  method: 'POST',
  summary: 'Creates a withdrawal: holds the amount and returns the fee and the payout.',
  request: v.object({
    withdrawalId: paymentIdSchema,
    amount: decimalStringSchema,
    currency: currencySchema,
    paymentMethod: methodNameSchema,
    fields: v.optional(fieldValuesSchema, {}),
    /** Pays to a saved payout account of the user, instead of `fields` (WD-1). */
    payoutAccountId: v.optional(paymentIdSchema),
    /** Saves the account for later withdrawals once this withdrawal is confirmed. */
    keepsAccount: v.optional(v.boolean()),
    wallet: v.optional(textSchema),
    selectedCountry: v.optional(countrySchema),
    accountType: v.optional(v.picklist(accountTypes), 'main'),
    /**
     * The `quote` of `payment-convert-v2` that was on the screen. Required when the payout is in another currency (SWP-2).
     */
    quote: v.optional(v.pipe(v.string(), v.maxLength(512))),
  }),
  response: v.object({
    withdrawalId: paymentIdSchema,
    status: v.number(),
    fee: decimalStringSchema,
    receives: decimalStringSchema,
    /** Absent when the payout is in `currency`. */
    payout: v.optional(payoutSchema),
    /** Present when `withdrawal-confirm` requires a code. */
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
    'banking.merchantClientError',
    'idempotency-conflict',
    'state-conflict',
    'in-flight',
  ],
});
