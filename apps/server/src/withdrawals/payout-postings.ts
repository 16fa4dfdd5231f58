/** Journal lines of a payout: paid, returned, or paid after the hold was released. */
import { arrivesOf } from '@opencashier/core/payout/aggregate';
import { SWEEP_COIN } from '@opencashier/core/sweepstake/coins';
import type { Transaction } from '../database/database.ts';
import { type AccountName, freezeUser, lockUserBalance, type PostingLine, postJournal } from '../ledger/ledger.ts';
import { type UserAccountKind, userAccountKinds } from '../ledger/user-accounts.ts';
import type { WithdrawalRow } from './withdrawal-row.ts';

type PaidOut = Pick<WithdrawalRow, 'currency' | 'amount' | 'fee' | 'payoutCurrency' | 'payoutAmount'>;

/** A journal about a payout. Each kind is booked once per withdrawal. */
export interface PayoutJournal {
  readonly kind: 'withdrawal_return' | 'withdrawal_late_paid' | 'withdrawal_late_returned' | 'withdrawal_late_settled';
  readonly payoutId: string;
  readonly lines: readonly PostingLine[];
  readonly note?: string;
}

/**
 * Books a journal about a payout. Lines of zero are left out.
 * @throws Error if the kind was booked before; the table of states prevents this
 */
export async function bookPayout(
  transaction: Transaction,
  row: WithdrawalRow,
  { lines, ...journal }: PayoutJournal,
): Promise<void> {
  const result = await postJournal(transaction, {
    operatorId: row.operatorId,
    withdrawalId: row.id,
    source: 'hold',
    ref: row.id,
    ...journal,
    lines: lines.filter(({ amount }) => amount !== 0n),
  });
  if (result === 'duplicate') throw new Error(`Withdrawal ${row.id}: ${journal.kind} was booked before`);
}

/**
 * The lines that turn the held amount less the fee into the payout on the account `target`.
 *
 * Redeemed sweep coins return to the account that issued them, and the operator pays the money. A conversion books
 * both currencies on the account of conversions.
 */
export function payoutLines(row: PaidOut, target: Omit<AccountName, 'asset'>): readonly PostingLine[] {
  const { currency, minor } = arrivesOf(row);
  const paid: PostingLine = { ...target, asset: currency, amount: minor };
  if (row.payoutCurrency === null) return [paid];
  const isRedeemed = row.currency === SWEEP_COIN;
  return [
    { owner: '', asset: row.currency, kind: isRedeemed ? 'coin_issue' : 'conversion', amount: row.amount - row.fee },
    paid,
    { owner: '', asset: currency, kind: isRedeemed ? 'coin_redemption' : 'conversion', amount: -minor },
  ];
}

/** A payout came back. The user's account gets the whole amount, including the fee. */
export function returnLines(row: WithdrawalRow): readonly PostingLine[] {
  const paid = payoutLines(row, { owner: row.provider, kind: 'provider_clearing' });
  return [
    ...paid.map((line) => ({ ...line, amount: -line.amount })),
    { owner: '', asset: row.currency, kind: 'withdrawal_fee', amount: -row.fee },
    { owner: row.userId, asset: row.currency, kind: accountOf(row), amount: row.amount },
  ];
}

/** A late payout: the paid amount goes into suspense until staff decide. */
export function latePaidLines(row: WithdrawalRow): readonly PostingLine[] {
  const { currency: asset, minor } = arrivesOf(row);
  return [
    { owner: row.provider, asset, kind: 'provider_clearing', amount: minor },
    { owner: '', asset, kind: 'suspense', amount: -minor },
  ];
}

/** A late payout came back before staff decided: suspense is settled, and the provider has the amount again. */
export function lateReturnLines(row: WithdrawalRow): readonly PostingLine[] {
  return latePaidLines(row).map((line) => ({ ...line, amount: -line.amount }));
}

/**
 * The user pays a late payout back. The account pays as much as it covers; the rest becomes a debt.
 * @param covered minor units that the account covers
 */
export function chargeLines(row: WithdrawalRow, covered: bigint): readonly PostingLine[] {
  const { userId: owner, currency: asset, amount, fee } = row;
  return [
    { owner, asset, kind: accountOf(row), amount: -covered },
    { owner, asset, kind: 'reversal_debt', amount: covered - amount },
    { owner: '', asset, kind: 'withdrawal_fee', amount: fee },
    ...payoutLines(row, { owner: '', kind: 'suspense' }),
  ];
}

/** The operator bears a late payout. */
export function bearLines(row: WithdrawalRow): readonly PostingLine[] {
  const { currency: asset, minor } = arrivesOf(row);
  return [
    { owner: '', asset, kind: 'operator_clearing', amount: -minor },
    { owner: '', asset, kind: 'suspense', amount: minor },
  ];
}

/**
 * The part of a withdrawal's amount that its account still covers, in minor units. Locks accounts in the same order
 * as a hold, against deadlocks. Freezes an account that covers less, because the rest becomes a debt.
 */
export async function coveredAmount(transaction: Transaction, row: WithdrawalRow): Promise<bigint> {
  const { operatorId, userId, currency, amount } = row;
  const main = await lockUserBalance(transaction, operatorId, userId, currency);
  const { balance } =
    row.accountType === 'main'
      ? main
      : await lockUserBalance(transaction, operatorId, userId, currency, 'user_additional');
  if (balance >= amount) return amount;
  await freezeUser(transaction, operatorId, userId, currency);
  return balance;
}

/** The account of the user that a withdrawal leaves. */
export function accountOf({ accountType }: Pick<WithdrawalRow, 'accountType'>): UserAccountKind {
  return userAccountKinds[accountType];
}
