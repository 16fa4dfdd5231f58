/** A payment as its user may see it: the answer of `deposit-status` and the body of the `deposit.status` push (§3, §4). */
import * as v from 'valibot';
import {
  countSchema,
  currencySchema,
  decimalStringSchema,
  durationSchema,
  instantSchema,
  methodNameSchema,
  paymentIdSchema,
} from './scalar.ts';

/**
 * §4: the numbers on the wire. Any number not in this table reads as `accepted` ("processing, not yet credited"); we send 3.
 */
export const transactionStatusCodes = { waiting: 0, processed: 1, mistaked: 2, accepted: 3 } as const;
export type TransactionStatus = keyof typeof transactionStatusCodes;

/**
 * Why a payment was declined, where its payer can do something about the cause. What hints at fraud is never told: such a decline has no
 * cause, as one whose cause nobody knows.
 */
export const depositDeclineCauses = [
  'insufficient-funds',
  'limit-exceeded',
  'card-expired',
  'wrong-details',
  'authentication-failed',
  'bank-refused',
] as const;
export type DepositDeclineCause = (typeof depositDeclineCauses)[number];

/** The coins of a box, as what a deposit buys (SWP-1). */
export const boughtBoxSchema = v.object({
  boxId: v.string(),
  /** Gold coins, which are bought; for play alone. */
  gcAmount: decimalStringSchema,
  /** Sweep coins, which come free. */
  scAmount: decimalStringSchema,
});
export type BoughtBox = v.InferOutput<typeof boughtBoxSchema>;

export const transactionSchema = v.object({
  depositId: paymentIdSchema,
  paymentMethod: methodNameSchema,
  status: v.number(),
  /** What the user asked to pay. */
  amount: decimalStringSchema,
  currency: currencySchema,
  /**
   * What the provider has seen of the payment so far, in `currency`, also before it is final. For display: nothing is
   * credited until `finalAmount` says so, and by no other amount. Absent where nothing was seen or the provider does not say.
   */
  receivedAmount: v.optional(decimalStringSchema),
  /** What the ledger credited; absent until it did. */
  finalAmount: v.optional(decimalStringSchema),
  /** What of `finalAmount` is not on the balance, since it paid what the user owed; absent: nothing (SRV-2). */
  paidDebt: v.optional(decimalStringSchema),
  created: instantSchema,
  /** The server's clock at the answer, so that a wrong clock in the phone does not bend a countdown. */
  serverTime: instantSchema,
  /** Seconds from `created` after which the provider no longer takes the payment. */
  lifetime: durationSchema,
  /** A reason in words for the user, as a locale key, such as `transaction.reason.declined`. */
  reason: v.optional(v.string()),
  /** Why it was declined (`authentication-failed`: by 3-D Secure or a code); absent where nobody knows or nobody may know. */
  declineCause: v.fallback(v.optional(v.picklist(depositDeclineCauses)), undefined),
  /** True while the provider's answer is not known: the user must not pay again. */
  isOutcomeUnknown: v.optional(v.boolean()),
  /** True where the money came after expiry or cancellation and people look at it. */
  isLate: v.optional(v.boolean()),
  /** Peer-to-peer: the provider's own word (PAYED, CANCELED, AUTO_CANCELED). */
  remoteStatus: v.optional(v.string()),
  /** Of the deposit that buys a coin box: what its balance gets once it is processed. */
  box: v.optional(boughtBoxSchema),
  txid: v.optional(v.string()),
  blockchain: v.optional(v.string()),
  cryptoCurrency: v.optional(currencySchema),
  /** The server's count; the widget's own counter only fills the gaps (CRY-2). */
  confirmations: countSchema,
  requiredConfirmations: countSchema,
});
export type Transaction = v.InferOutput<typeof transactionSchema>;
