/** The ledger's lines of a payout: paid, returned, and paid after the held amount had gone back to the user. */
import { arrivesOf } from '@opencashier/core/payout/aggregate';
import { SWEEP_COIN } from '@opencashier/core/sweepstake/coins';
import type { Transaction } from '../database/database.ts';
import {
  type AccountKind,
  type AccountName,
  freezeUser,
  lockUserBalance,
  type PostingLine,
  postJournal,
} from '../ledger/ledger.ts';
import type { WithdrawalRow } from './withdrawal-row.ts';

type PaidOut = Pick<WithdrawalRow, 'currency' | 'amount' | 'fee' | 'payoutCurrency' | 'payoutAmount'>;

/** A journal about the payout of a withdrawal. Each kind is booked once. */
export interface PayoutJournal {
  readonly kind: 'withdrawal_return' | 'withdrawal_late_paid' | 'withdrawal_late_settled';
  readonly payoutId: string;
  readonly lines: readonly PostingLine[];
  readonly note?: string;
}

/** @throws Error where this was booked before: the table of states lets it happen once */
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
 * The lines by which the held amount without its fee becomes what arrives, on the account `target`.
 *
 * Redeemed sweep coins return to where they were issued, and the money for them is the operator's expense. Where money is converted,
 * both sides stand on the account of conversions.
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

/** A payout came back: the account that the amount left gets all of it, the fee included. */
export function returnLines(row: WithdrawalRow): readonly PostingLine[] {
  const paid = payoutLines(row, { owner: row.provider, kind: 'provider_clearing' });
  return [
    ...paid.map((line) => ({ ...line, amount: -line.amount })),
    { owner: '', asset: row.currency, kind: 'withdrawal_fee', amount: -row.fee },
    { owner: row.userId, asset: row.currency, kind: accountOf(row), amount: row.amount },
  ];
}

/** The provider paid after the amount went back to the user: what it paid lies in suspense until staff decide. */
export function latePaidLines(row: WithdrawalRow): readonly PostingLine[] {
  const { currency: asset, minor } = arrivesOf(row);
  return [
    { owner: row.provider, asset, kind: 'provider_clearing', amount: minor },
    { owner: '', asset, kind: 'suspense', amount: -minor },
  ];
}

/** The user pays a late payout back: from the account as far as it covers the amount, the rest as a debt. */
export function chargeLines(row: WithdrawalRow, taken: bigint): readonly PostingLine[] {
  const { userId: owner, currency: asset, amount, fee } = row;
  return [
    { owner, asset, kind: accountOf(row), amount: -taken },
    { owner, asset, kind: 'reversal_debt', amount: taken - amount },
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
 * How much of a withdrawal's amount its account still covers, in minor units. Locks the accounts in the order in which a hold locks
 * them. An account that does not cover the amount is frozen, because the rest becomes a debt.
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

function accountOf({ accountType }: WithdrawalRow): AccountKind {
  return accountType === 'main' ? 'user' : 'user_additional';
}
