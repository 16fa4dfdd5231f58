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
    /** The amount that leaves the balance. */
    amount: decimalStringSchema,
    /** The currency of the amount. */
    currency: currencySchema,
    paymentMethod: methodNameSchema,
    /** The user's values of the method's fields, by field name. @example {"iban": "DE89370400440532013000"} */
    fields: v.optional(fieldValuesSchema, {}),
    /** Pays to a saved payout account of the user, instead of `fields` (WD-1). */
    payoutAccountId: v.optional(paymentIdSchema),
    /** Saves the account for later withdrawals once this withdrawal is confirmed. */
    keepsAccount: v.optional(v.boolean()),
    /**
     * When the bank knows the account under a nearly equal name. `ask`: the call is refused with `payee-close-match`, and the user
     * chooses. `keep`: the user has chosen the typed name. Absent: the typed name is kept without a question.
     * @example "ask"
     */
    payeeName: v.optional(v.picklist(['ask', 'keep'])),
    /** The address of the user's own wallet. @example "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE" */
    wallet: v.optional(textSchema),
    /** The country that the user chose. */
    selectedCountry: v.optional(countrySchema),
    /** The account that the amount leaves. */
    accountType: v.optional(v.picklist(accountTypes), 'main'),
    /**
     * The `quote` of `payment-convert-v2` that was on the screen. Required when the payout is in another currency (SWP-2).
     * @example "q1.eyJyYXRlIjoiMS4wOCJ9"
     */
    quote: v.optional(v.pipe(v.string(), v.maxLength(512))),
  }),
  response: v.object({
    withdrawalId: paymentIdSchema,
    /** The status: 0 waiting, 1 processed, 2 failed, 3 accepted. @values transactionStatusCodes @example 0 */
    status: v.number(),
    /** The part of the amount that the user does not receive. @example "0.50" */
    fee: decimalStringSchema,
    /** The part of the amount that the user receives. @example "24.50" */
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
    'payee-close-match',
    'banking.paymentMethodRegex',
    'banking.merchantClientError',
    'idempotency-conflict',
    'state-conflict',
    'in-flight',
  ],
});
