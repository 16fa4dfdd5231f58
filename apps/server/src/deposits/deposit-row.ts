/** The row of a deposit, and the view for its user. */
import {
  type Bonus,
  type DepositResponse,
  type FeeRule,
  type Transaction as TransactionView,
  transactionStatusCodes,
} from '@opencashier/contract/api';
import { readReason } from '@opencashier/core/deposit/decline-cause';
import { type DepositState, isDepositState, statusOfDepositState } from '@opencashier/core/deposit/deposit-lifecycle';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { ReviewReason } from '@opencashier/core/payment/aggregate';
import type { StoredFailure } from '../payment-ports/provider-failure.ts';
import { boughtView, type StoredBox } from '../sweepstake/bought-box.ts';

/** The input of a provider call, stored for a retry. Contains what the user entered. */
export interface StoredRequest {
  readonly fields: Readonly<Record<string, string>>;
  readonly returnUrl: string;
  readonly language: string;
  /** Absent in rows of older versions. */
  readonly providerOptions?: Readonly<Record<string, string>>;
  readonly bank?: string;
  /** True: only the provider's answer sets the time limits. A missing limit gets no default. */
  readonly isP2p?: boolean;
  /** What the user entered with "I have paid", until the provider has it. */
  readonly inputs?: Readonly<Record<string, string>>;
}

/** A row of the table `deposit`, read by {@link depositColumns}. */
export interface DepositRow {
  readonly id: string;
  readonly operatorId: string;
  readonly userId: string;
  readonly publicId: string;
  readonly fingerprint: Buffer;
  readonly paymentMethod: string;
  readonly provider: string;
  /** The operator's own connection that takes the payment, for ever. Null: the account in the settings of the server. */
  readonly connectionId: string | null;
  /** The id of the payment at the provider, after a route went on to another connection. Null: see {@link idAtProvider}. */
  readonly attemptId: string | null;
  readonly providerRef: string | null;
  readonly currency: string;
  /** The asked amount in minor units; for an open amount: the least that is credited. */
  readonly amount: bigint;
  /** True: every amount from the asked one up is credited. The catalogue decides at creation. */
  readonly isOpenAmount: boolean;
  /** The method's limits when an open amount was created, in minor units; null: none. */
  readonly openLeast: bigint | null;
  readonly openMaximum: bigint | null;
  /** The deposit that owns the address of a further transfer; null: no further transfer. */
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
  /** When the last call to the provider ended, or ends at the latest. */
  readonly lastCallAt: Date;
  /** The seen amount of the deposit's own payment in minor units, also before it is final. For display only. */
  readonly received: bigint | null;
  /**
   * A summary of the deposit's payments, up to `reviews`. Every move writes it, and the database compares it with the
   * payments.
   */
  readonly paid: bigint | null;
  readonly credited: bigint | null;
  /** The part of `credited` that paid a debt, in minor units; null: none. */
  readonly paidDebt: bigint | null;
  /** The part of `credited` that the fee took, in minor units; null: no fee, or not credited. */
  readonly chargedFee: bigint | null;
  readonly reason: string | null;
  readonly review: ReviewReason | null;
  /** The number of reviews so far. */
  readonly reviews: number;
  readonly remoteStatus: string | null;
  readonly txid: string | null;
  readonly blockchain: string | null;
  readonly cryptoCurrency: string | null;
  readonly confirmations: number | null;
  readonly requiredConfirmations: number | null;
  /** The bonus terms that the user saw at creation. */
  readonly bonus: Bonus | null;
  /** The coin box as it was at creation. */
  readonly box: StoredBox | null;
  /** The fee of the method at creation, which the user pays of the credited amount; null: none. */
  readonly fee: FeeRule | null;
  /** The database's clock when the row was read. */
  readonly serverTime: Date;
}

/** The select list of a {@link DepositRow}. */
export const depositColumns = `deposit.id, deposit.operator_id as "operatorId", deposit.user_id as "userId",
  deposit.client_key as "publicId", deposit.fingerprint, deposit.payment_method as "paymentMethod", deposit.provider,
  deposit.connection_id as "connectionId", deposit.attempt_id as "attemptId", deposit.provider_ref as "providerRef", deposit.currency, deposit.amount,
  deposit.open_amount as "isOpenAmount", deposit.open_least as "openLeast",
  deposit.open_most as "openMaximum", deposit.further_of as "furtherOf", deposit.country, deposit.state, deposit.rank,
  deposit.request, deposit.response, deposit.failure, coalesce(deposit.busy_until > now(), false) as "isBusy",
  deposit.created_at as "createdAt", deposit.lifetime_s as "lifetimeS", deposit.expires_at as "expiresAt", deposit.checks,
  greatest(deposit.created_at, deposit.busy_until) as "lastCallAt", deposit.received, deposit.paid, deposit.credited,
  deposit.paid_debt as "paidDebt", deposit.charged_fee as "chargedFee", deposit.reason,
  deposit.review, deposit.reviews, deposit.remote_status as "remoteStatus", deposit.txid, deposit.blockchain,
  deposit.crypto_currency as "cryptoCurrency", deposit.confirmations, deposit.required_confirmations as "requiredConfirmations",
  deposit.bonus, deposit.box, deposit.fee, now() as "serverTime"`;

/**
 * The id by which the provider knows the payment, and its idempotency key there: the deposit's own id at the first connection of a
 * route. Each further attempt has an id of its own, because two connections may lead to one company.
 */
export function idAtProvider({ id, attemptId }: Pick<DepositRow, 'id' | 'attemptId'>): string {
  return attemptId ?? id;
}

/** Checks the state of a row. An unknown state means that the database is newer than this program. */
export function readDeposit(row: DepositRow): DepositRow {
  if (!isDepositState(row.state)) throw new Error(`Deposit ${row.id} is in a state that this version does not know`);
  return row;
}

/** The fee that the user paid, in minor units, as the ledger booked it: zero before the credit. */
export function paidFee({ chargedFee }: Pick<DepositRow, 'chargedFee'>): bigint {
  return chargedFee ?? 0n;
}

/** `fee` of a deposit that is credited and has one. */
export function paidFeeView(row: Pick<DepositRow, 'chargedFee' | 'currency'>): { fee?: string } {
  const fee = paidFee(row);
  return fee === 0n ? {} : { fee: toDecimalString(fee, decimalsOf(row.currency)) };
}

/** The deposit as its user sees it. Nothing of the provider is visible except the peer-to-peer status. */
export function transactionView(row: DepositRow): TransactionView {
  const decimals = decimalsOf(row.currency);
  // Money under review is shown as "processing", so that the user does not pay again.
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
    ...paidFeeView(row),
    ...(row.paidDebt !== null && { paidDebt: toDecimalString(row.paidDebt, decimals) }),
    // After a review that ended with a credit, the reason is hidden.
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

/** True when the payee confirmed the money, or the chain has all blocks, and the ledger has not credited yet. */
function isSeen(row: DepositRow): boolean {
  if (statusOfDepositState(row.state) !== 'waiting') return false;
  const { confirmations, requiredConfirmations } = row;
  const hasAllBlocks =
    confirmations !== null && requiredConfirmations !== null && confirmations >= requiredConfirmations;
  return row.remoteStatus === 'PAYED' || hasAllBlocks;
}

/** True when some payment is known. A dropped transfer does not count. */
export function isMoneySeen({ txid, received, remoteStatus, paid, review }: DepositRow): boolean {
  return txid !== null || received !== null || remoteStatus === 'PAYED' || paid !== null || review !== null;
}

/** True while it is unknown whether the provider has the payment, also after the calling node died. */
export function isOutcomeUnknown(row: DepositRow): boolean {
  return row.state === 'submitted_unknown' || (row.state === 'created' && !row.isBusy);
}
