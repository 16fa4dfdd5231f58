/** A withdrawal as it lies in the database, and how its user sees it. */

import {
  type AccountType,
  type DeclineCause,
  type Payout,
  transactionStatusCodes,
  type WithdrawalTransaction,
} from '@opencashier/contract/api';
import type { WithdrawalWebhookData } from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { type AskedPart, receiptParts } from '@opencashier/core/withdrawal/destination';
import type { DestinationPart } from '@opencashier/core/withdrawal/masked-destination';
import {
  canUserCancelWithdrawal,
  isWithdrawalState,
  statusOfWithdrawalState,
  type WithdrawalState,
} from '@opencashier/core/withdrawal/withdrawal-lifecycle';
import type { StoredFailure } from '../lifecycle/provider-failure.ts';
import type { SealedAccount } from '../payout-accounts/payout-accounts.ts';

/** What the provider needs to know; fields, `asked` and `account` go once it does. */
export interface StoredWithdrawalRequest {
  readonly fields: Readonly<Record<string, string>>;
  readonly providerOptions: Readonly<Record<string, string>>;
  /** Where it goes as the form asked for it; absent in rows of before it was kept. */
  readonly asked?: readonly AskedPart[];
  /** Its user wants the account kept, once it is confirmed. */
  readonly isKept?: boolean;
  /** It goes to an account that was kept before. */
  readonly isFromKept?: boolean;
  /** With `isKept` and `isFromKept`. */
  readonly account?: SealedAccount;
  /** Where it went, masked: what stays of `asked`. */
  readonly receipt?: readonly DestinationPart[];
  /** The widget's; absent in rows of before it was kept. */
  readonly language?: string;
}

export interface WithdrawalRow {
  readonly id: string;
  readonly operatorId: string;
  readonly userId: string;
  readonly publicId: string;
  readonly fingerprint: Buffer;
  readonly paymentMethod: string;
  readonly provider: string;
  readonly providerRef: string | null;
  readonly currency: string;
  /** Minor units; the fee is a part of the amount. */
  readonly amount: bigint;
  readonly fee: bigint;
  /** What arrives where that is of another currency, in its minor units, and by which rate; null: what leaves the balance. */
  readonly payoutCurrency: string | null;
  readonly payoutAmount: bigint | null;
  readonly payoutRate: string | null;
  /** When that rate was true; null also in rows of before it was kept. */
  readonly payoutRateAt: Date | null;
  readonly country: string;
  readonly accountType: AccountType;
  readonly state: WithdrawalState;
  readonly request: StoredWithdrawalRequest;
  readonly failure: StoredFailure | null;
  readonly isBusy: boolean;
  /** How many people of the operator must approve; known from its confirm on. */
  readonly approvalsNeeded: number;
  /** What made it wait: its own amount, or the sum of its user's day. */
  readonly approvalBecause: 'amount' | 'day' | null;
  readonly approvalSince: Date | null;
  readonly submissions: number;
  readonly createdAt: Date;
  /** Until when it can be confirmed or, once it is, approved. */
  readonly expiresAt: Date;
  /** By the database's clock. */
  readonly isOverdue: boolean;
  readonly checks: number;
  readonly reason: string | null;
  /** What the provider has said of why it declined or sent back; null: nothing. */
  readonly declineCause: DeclineCause | null;
  readonly declineMessage: string | null;
  /** The database's clock when the row was read. */
  readonly serverTime: Date;
}

/** The select list that makes a {@link WithdrawalRow}. */
export const withdrawalColumns = `withdrawal.id, withdrawal.operator_id as "operatorId", withdrawal.user_id as "userId",
  withdrawal.client_key as "publicId", withdrawal.fingerprint, withdrawal.payment_method as "paymentMethod",
  withdrawal.provider, withdrawal.provider_ref as "providerRef", withdrawal.currency, withdrawal.amount, withdrawal.fee,
  withdrawal.payout_currency as "payoutCurrency", withdrawal.payout_amount as "payoutAmount",
  withdrawal.payout_rate as "payoutRate", withdrawal.payout_rate_at as "payoutRateAt",
  withdrawal.country, withdrawal.account_type as "accountType", withdrawal.state, withdrawal.request, withdrawal.failure,
  coalesce(withdrawal.busy_until > now(), false) as "isBusy", withdrawal.submissions, withdrawal.created_at as "createdAt",
  withdrawal.approvals_needed as "approvalsNeeded", withdrawal.approval_because as "approvalBecause",
  withdrawal.approval_since as "approvalSince",
  withdrawal.expires_at as "expiresAt", withdrawal.expires_at <= now() as "isOverdue", withdrawal.checks, withdrawal.reason,
  withdrawal.decline_cause as "declineCause", withdrawal.decline_message as "declineMessage",
  now() as "serverTime"`;

/** Reads a row; a state that core does not know means a database newer than this program. */
export function readWithdrawal(row: WithdrawalRow): WithdrawalRow {
  if (!isWithdrawalState(row.state)) {
    throw new Error(`Withdrawal ${row.id} is in a state that this version does not know`);
  }
  return row;
}

type Amounts = Pick<
  WithdrawalRow,
  'amount' | 'fee' | 'currency' | 'payoutCurrency' | 'payoutAmount' | 'payoutRate' | 'payoutRateAt'
>;

/** The three amounts as decimal strings of the withdrawal's currency, and what arrives where that is of another one. */
export function amountsOf(row: Amounts): {
  readonly amount: string;
  readonly fee: string;
  readonly receives: string;
  readonly payout?: Payout;
} {
  const write = (minor: bigint): string => toDecimalString(minor, decimalsOf(row.currency));
  const { payoutCurrency: currency, payoutAmount: minor, payoutRate: rate, payoutRateAt: at } = row;
  return {
    amount: write(row.amount),
    fee: write(row.fee),
    receives: write(row.amount - row.fee),
    ...(currency !== null &&
      minor !== null &&
      rate !== null && {
        payout: {
          currency,
          amount: toDecimalString(minor, decimalsOf(currency)),
          rate,
          ...(at && { asOf: at.toISOString() }),
        },
      }),
  };
}

/** The withdrawal as its user may see it: nothing of the provider, and nothing of where it goes. */
export function withdrawalView(row: WithdrawalRow): WithdrawalTransaction {
  return {
    withdrawalId: row.publicId,
    paymentMethod: row.paymentMethod,
    status: transactionStatusCodes[statusOfWithdrawalState(row.state)],
    accountType: row.accountType,
    ...amountsOf(row),
    currency: row.currency,
    created: row.createdAt.toISOString(),
    expires: row.expiresAt.toISOString(),
    serverTime: row.serverTime.toISOString(),
    canCancel: canUserCancelWithdrawal(row.state),
    ...reasonOf(row),
    ...declineOf(row),
    ...(row.state === 'submitted_unknown' && { isOutcomeUnknown: true }),
  };
}

/**
 * Where it goes, for its own user: whole while they can still confirm it, so that they compare every character; masked afterwards.
 * Undefined where nothing of it was kept.
 */
export function destinationOf({ state, request }: WithdrawalRow): readonly DestinationPart[] | undefined {
  const { asked, receipt, fields } = request;
  const parts = asked ?? Object.entries(fields).map(([name, value]): AskedPart => ({ name, value }));
  if (parts.length === 0) return receipt;
  return state === 'held' ? parts.map(({ name, value }) => ({ name, value })) : receiptParts(parts);
}

/** Waiting is no ending: its words go when it is over. */
function reasonOf({ state, reason }: WithdrawalRow): { readonly reason?: string } {
  if (state === 'awaiting_approval') return { reason: 'withdrawal.reason.approval' };
  return reason === null ? {} : { reason };
}

/** What was paid late after all was not declined: nobody is told to change anything. */
function declineOf({ state, declineCause, declineMessage }: WithdrawalRow): {
  readonly declineCause?: DeclineCause;
  readonly message?: string;
} {
  if (state !== 'declined' && state !== 'returned') return {};
  return {
    ...(declineCause !== null && { declineCause }),
    ...(declineMessage !== null && { message: declineMessage }),
  };
}

/** The withdrawal as its operator is told of it. */
export function withdrawalHookData(row: WithdrawalRow): WithdrawalWebhookData {
  return {
    withdrawalId: row.id,
    userId: row.userId,
    accountType: row.accountType,
    ...amountsOf(row),
    currency: row.currency,
    paymentMethod: row.paymentMethod,
    status: statusOfWithdrawalState(row.state),
  };
}
