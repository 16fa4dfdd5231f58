/** A deposit as it lies in the database, and how its user sees it. */
import {
  type Bonus,
  type DepositResponse,
  type Transaction as TransactionView,
  transactionStatusCodes,
} from '@opencashier/contract/api';
import { readReason } from '@opencashier/core/deposit/decline-cause';
import { type DepositState, isDepositState, statusOfDepositState } from '@opencashier/core/deposit/deposit-lifecycle';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { ReviewReason } from '@opencashier/core/payment/aggregate';
import type { StoredFailure } from '../lifecycle/provider-failure.ts';
import { boughtView, type StoredBox } from '../sweepstake/bought-box.ts';

/** What a repeat of the provider call needs; holds what the person typed. */
export interface StoredRequest {
  readonly fields: Readonly<Record<string, string>>;
  readonly returnUrl: string;
  readonly language: string;
  /** Absent in rows of before there were any. */
  readonly providerOptions?: Readonly<Record<string, string>>;
  readonly bank?: string;
  /** The answer's timing is the provider's alone: where it is missing, nothing is put in its place. */
  readonly isP2p?: boolean;
  /** What the person typed beside "I have paid", until the provider has it. */
  readonly inputs?: Readonly<Record<string, string>>;
}

export interface DepositRow {
  readonly id: string;
  readonly operatorId: string;
  readonly userId: string;
  readonly publicId: string;
  readonly fingerprint: Buffer;
  readonly paymentMethod: string;
  readonly provider: string;
  readonly providerRef: string | null;
  readonly currency: string;
  /** Minor units: what was asked; of an open amount the least that is credited. */
  readonly amount: bigint;
  /** Any amount from the asked one on is credited, as much as came; decided by the catalogue at the create. */
  readonly isOpenAmount: boolean;
  /** The method's limits at the create of an open amount; null: none. */
  readonly openLeast: bigint | null;
  readonly openMaximum: bigint | null;
  /** The deposit whose address its money came to, as a further transfer. */
  readonly furtherOf: string | null;
  readonly country: string;
  readonly state: DepositState;
  readonly rank: number;
  readonly request: StoredRequest;
  readonly response: DepositResponse | null;
  readonly failure: StoredFailure | null;
  readonly isBusy: boolean;
  readonly createdAt: Date;
  readonly lifetimeS: number;
  readonly expiresAt: Date;
  readonly checks: number;
  /** Seconds since it was created, by the database's clock. */
  readonly ageS: number;
  /** What the provider has seen of the deposit's own payment, in its currency, also before it is final. Decides nothing. */
  readonly received: bigint | null;
  /** A summary of its payments, from here to `reviews`: a move repeats it, and the database compares. */
  readonly paid: bigint | null;
  readonly credited: bigint | null;
  /** What of `credited` went to a debt of the user's; null: nothing. */
  readonly paidDebt: bigint | null;
  readonly reason: string | null;
  readonly review: ReviewReason | null;
  /** How often it came under review. */
  readonly reviews: number;
  readonly remoteStatus: string | null;
  readonly txid: string | null;
  readonly blockchain: string | null;
  readonly cryptoCurrency: string | null;
  readonly confirmations: number | null;
  readonly requiredConfirmations: number | null;
  /** The terms that were on screen at the create. */
  readonly bonus: Bonus | null;
  /** The coin box that it buys, as it was at the create. */
  readonly box: StoredBox | null;
  /** The database's clock when the row was read. */
  readonly serverTime: Date;
}

/** The select list that makes a {@link DepositRow}. */
export const depositColumns = `deposit.id, deposit.operator_id as "operatorId", deposit.user_id as "userId",
  deposit.client_key as "publicId", deposit.fingerprint, deposit.payment_method as "paymentMethod", deposit.provider,
  deposit.provider_ref as "providerRef", deposit.currency, deposit.amount,
  deposit.open_amount as "isOpenAmount", deposit.open_least as "openLeast",
  deposit.open_most as "openMaximum", deposit.further_of as "furtherOf", deposit.country, deposit.state, deposit.rank,
  deposit.request, deposit.response, deposit.failure, coalesce(deposit.busy_until > now(), false) as "isBusy",
  deposit.created_at as "createdAt", deposit.lifetime_s as "lifetimeS", deposit.expires_at as "expiresAt", deposit.checks,
  extract(epoch from now() - deposit.created_at)::float8 as "ageS", deposit.received, deposit.paid, deposit.credited,
  deposit.paid_debt as "paidDebt", deposit.reason,
  deposit.review, deposit.reviews, deposit.remote_status as "remoteStatus", deposit.txid, deposit.blockchain,
  deposit.crypto_currency as "cryptoCurrency", deposit.confirmations, deposit.required_confirmations as "requiredConfirmations",
  deposit.bonus, deposit.box, now() as "serverTime"`;

/** Reads a row; a state that core does not know means a database newer than this program. */
export function readDeposit(row: DepositRow): DepositRow {
  if (!isDepositState(row.state)) throw new Error(`Deposit ${row.id} is in a state that this version does not know`);
  return row;
}

/** The deposit as its user may see it: nothing of the provider but its word in peer-to-peer. */
export function transactionView(row: DepositRow): TransactionView {
  const decimals = decimalsOf(row.currency);
  // Money under review is real but not credited: "processing", never a reason to pay again.
  const status =
    (row.review !== null && row.credited === null) || isSeen(row) ? 'accepted' : statusOfDepositState(row.state);
  return {
    depositId: row.publicId,
    paymentMethod: row.paymentMethod,
    status: transactionStatusCodes[status],
    amount: toDecimalString(row.amount, decimals),
    currency: row.currency,
    created: row.createdAt.toISOString(),
    serverTime: row.serverTime.toISOString(),
    lifetime: row.lifetimeS,
    ...(row.received !== null && { receivedAmount: toDecimalString(row.received, decimals) }),
    ...(row.credited !== null && { finalAmount: toDecimalString(row.credited, decimals) }),
    ...(row.paidDebt !== null && { paidDebt: toDecimalString(row.paidDebt, decimals) }),
    // Of a review that ended in a credit nothing is left to say.
    ...(row.reason !== null && (row.state !== 'credited' || row.review !== null) && readReason(row.reason)),
    ...(isOutcomeUnknown(row) && { isOutcomeUnknown: true }),
    ...(row.state === 'late_paid' && { isLate: true }),
    ...(row.remoteStatus !== null && { remoteStatus: row.remoteStatus }),
    ...(row.box !== null && { box: boughtView(row.box) }),
    ...(row.txid !== null && { txid: row.txid }),
    ...(row.blockchain !== null && { blockchain: row.blockchain }),
    ...(row.cryptoCurrency !== null && { cryptoCurrency: row.cryptoCurrency }),
    ...(row.confirmations !== null && { confirmations: row.confirmations }),
    ...(row.requiredConfirmations !== null && { requiredConfirmations: row.requiredConfirmations }),
  };
}

/** The payee says that the money is there, or the chain has all its blocks: processing, while the ledger has not credited. */
function isSeen(row: DepositRow): boolean {
  if (statusOfDepositState(row.state) !== 'waiting') return false;
  const { confirmations, requiredConfirmations } = row;
  const hasAllBlocks =
    confirmations !== null && requiredConfirmations !== null && confirmations >= requiredConfirmations;
  return row.remoteStatus === 'PAYED' || hasAllBlocks;
}

/** Whether anything of a payment is known now. What a chain has dropped is not. */
export function isMoneySeen({ txid, received, remoteStatus, paid, review }: DepositRow): boolean {
  return txid !== null || received !== null || remoteStatus === 'PAYED' || paid !== null || review !== null;
}

/** True while nobody knows whether the provider holds the payment, also when the node that asked has died. */
export function isOutcomeUnknown(row: DepositRow): boolean {
  return row.state === 'submitted_unknown' || (row.state === 'created' && !row.isBusy);
}
