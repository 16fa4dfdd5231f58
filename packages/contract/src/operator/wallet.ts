/**
 * The calls of the cashier to an operator's own wallet: an operator whose `walletMode` is `operator` keeps its users' balances itself.
 *
 * The cashier posts each call as JSON to the operator's `walletUrl`, signed like a webhook (Standard Webhooks: `webhook-id`,
 * `webhook-timestamp`, `webhook-signature` over the raw body). `webhook-id` is the `id` of the call.
 *
 * A call is answered with HTTP 200 and a {@link WalletAnswer}. The cashier takes any other answer for an unknown outcome, and repeats the
 * call with the same `id` until it knows. The wallet executes an `id` once, and gives every repeat the first answer.
 *
 * Within a version a call may only get more optional fields.
 */
import * as v from 'valibot';
import { currencySchema, decimalStringSchema, paymentIdSchema } from '../api/scalar.ts';
import { userIdSchema } from './fields.ts';

/** The version of every schema of this file. */
export const walletVersion = 1;

/** Whose balance counts, chosen for each operator. */
export const walletModes = ['cashier', 'operator', 'pass-through'] as const;
export type WalletMode = (typeof walletModes)[number];

/** Every type of a call, with what the wallet must do. */
export const walletCallTypes = {
  balance: 'Answer the amount that the user can withdraw. Nothing moves.',
  debit: 'Take the amount from the user if the balance covers it and the user may withdraw; decline it otherwise.',
  credit: 'Add the amount to the user. It is money that the cashier holds for the user, so a wallet never declines it.',
  release: 'Add back the amount of the debit `debitId`. It paid nothing out, so a wallet never declines it.',
} as const;
export type WalletCallType = keyof typeof walletCallTypes;

/** Why money moves, by the type of the call. */
export const walletReasons = {
  debit: {
    withdrawal: 'The user asks for a withdrawal.',
    refund: 'The operator refunds a deposit.',
    chargeback: 'The provider took a deposit back; `forced` is true.',
  },
  credit: {
    deposit: 'A deposit was paid.',
    'payment-returned': 'Money of a refund or a chargeback came back.',
    'withdrawal-returned': 'A paid withdrawal was sent back by its receiver.',
    'debt-paid-twice': 'The user paid a debt here and in the wallet.',
  },
  release: {
    withdrawal: 'The withdrawal ended without a payout.',
    refund: 'The refund ended without a payment to the user.',
  },
} as const;
export type WalletDebitReason = keyof (typeof walletReasons)['debit'];
export type WalletCreditReason = keyof (typeof walletReasons)['credit'];
export type WalletReleaseReason = keyof (typeof walletReasons)['release'];
export type WalletReason = WalletDebitReason | WalletCreditReason | WalletReleaseReason;

/* @__NO_SIDE_EFFECTS__ */
function namesOf<Name extends string>(names: Readonly<Record<Name, string>>): [Name, ...Name[]] {
  return Object.keys(names) as [Name, ...Name[]];
}

const sharedEntries = {
  /** The idempotency key of the call: the same in every repeat, and in no other call. */
  id: paymentIdSchema,
  userId: userIdSchema,
  currency: currencySchema,
};

const moveEntries = {
  ...sharedEntries,
  /** Above zero, in `currency`. */
  amount: decimalStringSchema,
  /** The deposit whose money moves. */
  depositId: v.optional(paymentIdSchema),
  /** The withdrawal whose money moves. A call has a deposit or a withdrawal, never both. */
  withdrawalId: v.optional(paymentIdSchema),
};

/** A call of the cashier to the wallet: the body that it posts. */
export const walletCallSchema = v.variant('type', [
  v.object({ type: v.literal('balance'), ...sharedEntries }),
  v.object({
    type: v.literal('debit'),
    ...moveEntries,
    reason: v.picklist(namesOf(walletReasons.debit)),
    /**
     * True: the money has left already, whatever the user's balance is. Take it, also below zero, or decline it. What a wallet declines
     * is a debt of the user here, and freezes the user's withdrawals.
     */
    forced: v.optional(v.boolean()),
  }),
  v.object({ type: v.literal('credit'), ...moveEntries, reason: v.picklist(namesOf(walletReasons.credit)) }),
  v.object({
    type: v.literal('release'),
    ...moveEntries,
    reason: v.picklist(namesOf(walletReasons.release)),
    /** The `id` of the debit whose amount goes back. The wallet has answered it with `done`. */
    debitId: paymentIdSchema,
  }),
]);
export type WalletCall = v.InferOutput<typeof walletCallSchema>;
export type WalletMove = Exclude<WalletCall, { readonly type: 'balance' }>;

/** Codes of a declined debit. A wallet may send others; the user then reads a general text. */
export const walletDeclineCodes = {
  'insufficient-funds': 'The balance does not cover the amount.',
  blocked: 'The user may not withdraw now.',
  limit: 'The amount breaks a limit of the operator.',
  'unknown-user': 'The wallet does not know the user.',
  other: 'Another certain reason.',
} as const;
export type WalletDeclineCode = keyof typeof walletDeclineCodes;

/** What a wallet may repeat of its call. If it differs from the call, the outcome is unknown and staff are alerted. */
const echoEntries = {
  id: v.optional(v.string()),
  userId: v.optional(v.string()),
  currency: v.optional(v.string()),
  amount: v.optional(v.string()),
};

/** The answer of a wallet, with HTTP status 200. Every other answer is an unknown outcome. */
export const walletAnswerSchema = v.variant('result', [
  v.object({
    result: v.literal('done'),
    /** The amount that the user can withdraw after the call, in the currency of the call. */
    balance: decimalStringSchema,
    /** The wallet's own id of the movement, for reconciliation. A `balance` call needs none. */
    transactionId: v.optional(
      v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,128}$/, 'printable characters without spaces')),
    ),
    ...echoEntries,
  }),
  v.object({
    result: v.literal('declined'),
    code: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,63}$/, 'a code such as insufficient-funds')),
    /** For the user, in the user's language; shown with the codes `blocked`, `limit` and `other`. */
    message: v.optional(v.pipe(v.string(), v.maxLength(2000))),
    /** The amount that the user can withdraw. */
    balance: v.optional(decimalStringSchema),
    ...echoEntries,
  }),
]);
export type WalletAnswer = v.InferOutput<typeof walletAnswerSchema>;

/** Seconds after which the cashier takes a call without an answer for unknown. */
export const walletTimeLimitsS = { balance: 1, debit: 5, credit: 15, release: 15 } as const satisfies Record<
  WalletCallType,
  number
>;
