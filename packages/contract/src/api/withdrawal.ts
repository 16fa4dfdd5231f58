/**
 * A withdrawal as its user may see it: the response of `withdrawal-status` and the body of the
 * `withdrawal.status` push (WD-2).
 */
import * as v from 'valibot';
import { currencySchema, decimalStringSchema, instantSchema, methodNameSchema, paymentIdSchema } from './scalar.ts';

/** The account that a withdrawal debits. */
export const accountTypes = ['main', 'additional'] as const;
export type AccountType = (typeof accountTypes)[number];

/** Causes of a failed payout that the user can act on. No cause reveals the result of a risk check. */
export const declineCauses = [
  'account-details',
  'account-closed',
  'limit',
  'name-mismatch',
  'bank-unavailable',
] as const;
export type DeclineCause = (typeof declineCauses)[number];

/**
 * The maximum length of a provider's message to the user, in UTF-16 units. A longer message would push the
 * money's state off the screen.
 */
export const DECLINE_MESSAGE_LENGTH = 300;

/** The payout in another currency than the balance. The quote fixes it at the create call (SWP-2, WD-2). */
export const payoutSchema = v.object({
  /** The currency that the user receives.  @example "USD" */
  currency: currencySchema,
  /** The payout amount, after the fee. */
  amount: decimalStringSchema,
  /** Units of the payout currency for one unit of the balance's currency. @example "1.08" */
  rate: decimalStringSchema,
  /** When that rate was valid. */
  asOf: v.optional(instantSchema),
});
export type Payout = v.InferOutput<typeof payoutSchema>;

/**
 * The account or address that gets the money, field by field, in the order of the form.
 * @example [{"name": "iban", "value": "DE89 •••• 3000"}]
 */
export const destinationSchema = v.array(
  v.object({
    /** The name of the form's field. @example "iban" */
    name: v.string(),
    /** What the user entered there. Parts of it are hidden once the withdrawal is confirmed. @example "DE89 •••• 3000" */
    value: v.string(),
  }),
);

/** A saved payout account of a user (WD-1). */
export const payoutAccountSchema = v.object({
  /** The id of the saved account. @example "9f0c2b1e-5d1c-4c55-9b6b-3d5a0a6b7f01" */
  accountId: paymentIdSchema,
  /** By the form's field names and in their order; masked. */
  destination: destinationSchema,
  /** The most that can be paid out to it now, if that is limited: of a card, what its payments have left. @example "40.00" */
  max: v.optional(decimalStringSchema),
});
export type PayoutAccount = v.InferOutput<typeof payoutAccountSchema>;

export const withdrawalTransactionSchema = v.object({
  withdrawalId: paymentIdSchema,
  paymentMethod: methodNameSchema,
  /**
   * One of `transactionStatusCodes`: waiting for confirmation, accepted, processed, or ended with the hold released (mistaked). @values
   * transactionStatusCodes
   * @example 3
   */
  status: v.number(),
  accountType: v.picklist(accountTypes),
  /** The amount that leaves the balance: the sum of fee and payout. */
  amount: decimalStringSchema,
  currency: currencySchema,
  /** The part of the amount that the user does not receive. @example "0.50" */
  fee: decimalStringSchema,
  /** The part of the amount that the user receives. @example "24.50" */
  receives: decimalStringSchema,
  /** Absent when the payout is in `currency`. */
  payout: v.optional(payoutSchema),
  created: instantSchema,
  /** Until when the user can confirm, or the operator can approve. Afterwards the hold is released automatically. */
  expires: instantSchema,
  /** The server's clock at the response. */
  serverTime: instantSchema,
  /** Whether the user can still cancel the withdrawal. */
  canCancel: v.boolean(),
  /** A reason for the user, as a locale key, such as `withdrawal.reason.declined`. @example "withdrawal.reason.declined" */
  reason: v.optional(v.string()),
  /** Why the provider declined or returned the payout. Absent when unknown, or when the user could not change it. */
  declineCause: v.fallback(v.optional(v.picklist(declineCauses)), undefined),
  /**
   * The provider's message to the user about the decline: plain text in the language of the withdrawal.
   * @example "The account is closed."
   */
  message: v.fallback(v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(DECLINE_MESSAGE_LENGTH))), undefined),
  /** True while the outcome at the provider is unknown and is being checked. The user must not request it again. */
  isOutcomeUnknown: v.optional(v.boolean()),
});
export type WithdrawalTransaction = v.InferOutput<typeof withdrawalTransactionSchema>;
