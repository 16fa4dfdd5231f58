/** A payment as its user may see it: the response of `deposit-status` and the body of the `deposit.status` push (§3, §4). */
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

/** §4: the status numbers on the wire. Any other number reads as `accepted` ("processing, not yet credited"); we send 3. */
export const transactionStatusCodes = { waiting: 0, processed: 1, mistaked: 2, accepted: 3 } as const;
export type TransactionStatus = keyof typeof transactionStatusCodes;

/**
 * Causes of a declined payment that the payer can act on.
 * A decline for suspected fraud has no cause, because the payer must not learn of the suspicion.
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

/** The coins that a deposit for a coin box buys (SWP-1). */
export const boughtBoxSchema = v.object({
  /** The operator's id of the box. @example "starter" */
  boxId: v.string(),
  /** Gold coins, which the user buys for play. @example "1000" */
  gcAmount: decimalStringSchema,
  /** Sweep coins, which are free. @example "10.00" */
  scAmount: decimalStringSchema,
});
export type BoughtBox = v.InferOutput<typeof boughtBoxSchema>;

export const transactionSchema = v.object({
  depositId: paymentIdSchema,
  paymentMethod: methodNameSchema,
  /**
   * The status: 0 waiting, 1 processed, 2 failed, 3 accepted but not yet credited. Treat any other number as 3. @values
   * transactionStatusCodes
   * @example 1
   */
  status: v.number(),
  /** The amount that the user asked to pay. */
  amount: decimalStringSchema,
  currency: currencySchema,
  /**
   * The amount that the provider has seen so far, in `currency`, even before it is final. For display only:
   * nothing is credited until `finalAmount` is present, and only that amount. Absent when the provider has
   * seen or reported nothing.
   */
  receivedAmount: v.optional(decimalStringSchema),
  /** The amount that the ledger credited. Absent until then. */
  finalAmount: v.optional(decimalStringSchema),
  /** The fee of the deposit, which is taken from `finalAmount`. Absent: none. */
  fee: v.optional(decimalStringSchema),
  /** The part of `finalAmount` that paid the user's debt and did not reach the balance. Absent: nothing (SRV-2). */
  paidDebt: v.optional(decimalStringSchema),
  created: instantSchema,
  /** The server's clock at the response, so that a wrong device clock does not distort a countdown. */
  serverTime: instantSchema,
  /** Seconds from `created` until the provider stops accepting the payment. */
  lifetime: durationSchema,
  /** A reason for the user, as a locale key, such as `transaction.reason.declined`. @example "transaction.reason.declined" */
  reason: v.optional(v.string()),
  /**
   * Why the payment was declined (`authentication-failed`: by 3-D Secure or a code). Absent when unknown or confidential.
   */
  declineCause: v.fallback(v.optional(v.picklist(depositDeclineCauses)), undefined),
  /** True while the outcome at the provider is unknown: the user must not pay again. */
  isOutcomeUnknown: v.optional(v.boolean()),
  /**
   * A sentence for the payer in the language of their widget, while the deposit is being created: the first provider took nothing, and
   * another one is asked. Only in the push.
   * @example "Trying another way. Nothing was charged."
   */
  notice: v.fallback(v.optional(v.string()), undefined),
  /** True when the money arrived after expiry or cancellation and staff review it. */
  isLate: v.optional(v.boolean()),
  /** Peer-to-peer: the provider's own status (PAYED, CANCELED, AUTO_CANCELED). @example "PAYED" */
  remoteStatus: v.optional(v.string()),
  /** For a deposit that buys a coin box: the coins that the user gets when it is processed. */
  box: v.optional(boughtBoxSchema),
  /** The hash of the transaction on the chain. @example "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060" */
  txid: v.optional(v.string()),
  /** The name of the chain. @example "trc20" */
  blockchain: v.optional(v.string()),
  /** The coin that the chain transfers. @example "USDT" */
  cryptoCurrency: v.optional(currencySchema),
  /** The server's count. The widget's own count only fills the gaps (CRY-2). */
  confirmations: countSchema,
  /** The number of confirmations after which the deposit is credited. @example 6 */
  requiredConfirmations: countSchema,
});
export type Transaction = v.InferOutput<typeof transactionSchema>;
