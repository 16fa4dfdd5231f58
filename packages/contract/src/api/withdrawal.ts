/** A withdrawal as its user may see it: the answer of `withdrawal-status` and the body of the `withdrawal.status` push (WD-2). */
import * as v from 'valibot';
import { currencySchema, decimalStringSchema, instantSchema, methodNameSchema, paymentIdSchema } from './scalar.ts';

/** The account that a withdrawal leaves from. */
export const accountTypes = ['main', 'additional'] as const;
export type AccountType = (typeof accountTypes)[number];

/**
 * What kept a payout from arriving, where the provider says it in a way that its person can act on. Nothing here tells what a check
 * of risk has found.
 */
export const declineCauses = [
  'account-details',
  'account-closed',
  'limit',
  'name-mismatch',
  'bank-unavailable',
] as const;
export type DeclineCause = (typeof declineCauses)[number];

/** How long a provider's own words for a person may be, in UTF-16 units: longer ones push what became of the money off the screen. */
export const DECLINE_MESSAGE_LENGTH = 300;

/** What arrives in another currency than the one that leaves the balance: fixed at the create by the quote (SWP-2, WD-2). */
export const payoutSchema = v.object({
  currency: currencySchema,
  /** What arrives, once the fee is kept. */
  amount: decimalStringSchema,
  /** What one unit of the balance's currency was in it. */
  rate: decimalStringSchema,
  /** When that rate was true. */
  asOf: v.optional(instantSchema),
});
export type Payout = v.InferOutput<typeof payoutSchema>;

/** An account that a user has kept for the next withdrawal (WD-1). */
export const payoutAccountSchema = v.object({
  accountId: paymentIdSchema,
  /** By the names of the form's fields and in their order; masked. */
  destination: v.array(v.object({ name: v.string(), value: v.string() })),
});
export type PayoutAccount = v.InferOutput<typeof payoutAccountSchema>;

export const withdrawalTransactionSchema = v.object({
  withdrawalId: paymentIdSchema,
  paymentMethod: methodNameSchema,
  /** One of `transactionStatusCodes`: waiting to be confirmed, accepted, processed, or ended with the money back (mistaked). */
  status: v.number(),
  accountType: v.picklist(accountTypes),
  /** What leaves the balance; fee and what arrives together are it. */
  amount: decimalStringSchema,
  currency: currencySchema,
  fee: decimalStringSchema,
  receives: decimalStringSchema,
  /** Absent where what arrives is of `currency` itself. */
  payout: v.optional(payoutSchema),
  created: instantSchema,
  /** Until when it can be confirmed or, where it waits for the operator, approved; afterwards the held amount goes back by itself. */
  expires: instantSchema,
  serverTime: instantSchema,
  canCancel: v.boolean(),
  /** A reason in words for the user, as a locale key, such as `withdrawal.reason.declined`. */
  reason: v.optional(v.string()),
  /** Why the provider declined it or sent it back; absent where that is not known, or is nothing that its person could change. */
  declineCause: v.fallback(v.optional(v.picklist(declineCauses)), undefined),
  /** The provider's own words for the person about that: plain text in the language that the withdrawal was made in. */
  message: v.fallback(v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(DECLINE_MESSAGE_LENGTH))), undefined),
  /** True while the provider's answer is not known: it is being checked, and must not be asked for again. */
  isOutcomeUnknown: v.optional(v.boolean()),
});
export type WithdrawalTransaction = v.InferOutput<typeof withdrawalTransactionSchema>;
