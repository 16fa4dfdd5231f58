/** The row of a withdrawal, and the view for its user. */

import {
  type AccountType,
  type ConfirmationChannel,
  type DeclineCause,
  type Payout,
  transactionStatusCodes,
  type WithdrawalTransaction,
} from '@opencashier/contract/api';
import { paymentStatusOf, type WithdrawalWebhookData } from '@opencashier/contract/operator';
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
import type { PayeeVerdict } from '../payment-ports/payee-check.ts';
import type { StoredFailure } from '../payment-ports/provider-failure.ts';
import type { SealedAccount } from '../payout-accounts/payout-accounts.ts';

/** The input of a provider call. `fields`, `asked` and `account` are deleted once the provider has them. */
export interface StoredWithdrawalRequest {
  readonly fields: Readonly<Record<string, string>>;
  readonly providerOptions: Readonly<Record<string, string>>;
  /** The destination in the order of the form; absent in rows of older versions. */
  readonly asked?: readonly AskedPart[];
  /** True: the user wants to save the account after the confirmation. */
  readonly isKept?: boolean;
  /** True: the destination is a saved account. */
  readonly isFromKept?: boolean;
  /** The encrypted account; present with `isKept` and `isFromKept`. */
  readonly account?: SealedAccount;
  /** The masked destination, which replaces `asked` after the submission. */
  readonly receipt?: readonly DestinationPart[];
  /** The widget's language; absent in rows of older versions. */
  readonly language?: string;
  /** What the payee's bank said of the name. Absent: nobody was asked. */
  readonly payeeCheck?: PayeeVerdict;
  /** The card that paid, to which the refunds of its payments are paid out. */
  readonly card?: string;
  /** The channel of the code to send once the amount is held; present while the operator's wallet is asked for it. */
  readonly codeChannel?: ConfirmationChannel;
}

/** A row of the table `withdrawal`, read by {@link withdrawalColumns}. */
export interface WithdrawalRow {
  readonly id: string;
  readonly operatorId: string;
  readonly userId: string;
  readonly publicId: string;
  readonly fingerprint: Buffer;
  readonly paymentMethod: string;
  readonly provider: string;
  /** The operator's own connection that pays, for ever. Null: the account in the settings of the server. */
  readonly connectionId: string | null;
  readonly providerRef: string | null;
  readonly currency: string;
  /** Minor units; the fee is a part of the amount. */
  readonly amount: bigint;
  readonly fee: bigint;
  /** The payout in another currency, in its minor units, and its rate; null: the payout is in `currency`. */
  readonly payoutCurrency: string | null;
  readonly payoutAmount: bigint | null;
  readonly payoutRate: string | null;
  /** The time of the rate; null also in rows of older versions. */
  readonly payoutRateAt: Date | null;
  readonly country: string;
  readonly accountType: AccountType;
  readonly state: WithdrawalState;
  readonly request: StoredWithdrawalRequest;
  readonly failure: StoredFailure | null;
  readonly isBusy: boolean;
  /** How many staff of the operator must approve; set by the confirmation. */
  readonly approvalsNeeded: number;
  /** Why approval is needed: the amount itself, or the user's daily sum. */
  readonly approvalBecause: 'amount' | 'day' | null;
  readonly approvalSince: Date | null;
  readonly submissions: number;
  readonly createdAt: Date;
  /** The end of the time to confirm, and after the confirmation the end of the time to approve. */
  readonly expiresAt: Date;
  /** True after `expiresAt`, by the database's clock. */
  readonly isOverdue: boolean;
  readonly checks: number;
  readonly reason: string | null;
  /** The provider's reason for a decline or return; null: none. */
  readonly declineCause: DeclineCause | null;
  readonly declineMessage: string | null;
  /** The database's clock when the row was read. */
  readonly serverTime: Date;
}

/** The select list of a {@link WithdrawalRow}. */
export const withdrawalColumns = `withdrawal.id, withdrawal.operator_id as "operatorId", withdrawal.user_id as "userId",
  withdrawal.client_key as "publicId", withdrawal.fingerprint, withdrawal.payment_method as "paymentMethod",
  withdrawal.provider, withdrawal.connection_id as "connectionId", withdrawal.provider_ref as "providerRef", withdrawal.currency, withdrawal.amount, withdrawal.fee,
  withdrawal.payout_currency as "payoutCurrency", withdrawal.payout_amount as "payoutAmount",
  withdrawal.payout_rate as "payoutRate", withdrawal.payout_rate_at as "payoutRateAt",
  withdrawal.country, withdrawal.account_type as "accountType", withdrawal.state, withdrawal.request, withdrawal.failure,
  coalesce(withdrawal.busy_until > now(), false) as "isBusy", withdrawal.submissions, withdrawal.created_at as "createdAt",
  withdrawal.approvals_needed as "approvalsNeeded", withdrawal.approval_because as "approvalBecause",
  withdrawal.approval_since as "approvalSince",
  withdrawal.expires_at as "expiresAt", withdrawal.expires_at <= now() as "isOverdue", withdrawal.checks, withdrawal.reason,
  withdrawal.decline_cause as "declineCause", withdrawal.decline_message as "declineMessage",
  now() as "serverTime"`;

/** Checks the state of a row. An unknown state means that the database is newer than this program. */
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

/** The amounts as decimal strings of the withdrawal's currency, and the payout if it is in another currency. */
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

/** The withdrawal as its user sees it, without the provider and the destination. */
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
    ...((row.state === 'submitted_unknown' || row.state === 'checking') && { isOutcomeUnknown: true }),
  };
}

/**
 * The destination for the user. Complete until the confirmation, so that the user can compare every character; masked
 * afterwards. Undefined when nothing of it was stored.
 */
export function destinationOf({ state, request }: WithdrawalRow): readonly DestinationPart[] | undefined {
  const { asked, receipt, fields } = request;
  const parts = asked ?? Object.entries(fields).map(([name, value]): AskedPart => ({ name, value }));
  if (parts.length === 0) return receipt;
  return state === 'held' ? parts.map(({ name, value }) => ({ name, value })) : receiptParts(parts);
}

/** The reason for the user. While the withdrawal waits, the reason says so. */
function reasonOf({ state, reason }: WithdrawalRow): { readonly reason?: string } {
  if (state === 'awaiting_approval') return { reason: 'withdrawal.reason.approval' };
  return reason === null ? {} : { reason };
}

/** The decline for the user. A late payout shows none, because the provider did pay. */
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

/** The withdrawal's data in webhooks to the operator. */
export function withdrawalHookData(row: WithdrawalRow): WithdrawalWebhookData {
  return {
    withdrawalId: row.id,
    userId: row.userId,
    accountType: row.accountType,
    ...amountsOf(row),
    currency: row.currency,
    paymentMethod: row.paymentMethod,
    status: paymentStatusOf[statusOfWithdrawalState(row.state)],
  };
}
