/**
 * A payout that was told of after its amount had been given back. What the provider paid lies in suspense; people decide whether
 * the user, who has both, pays it back, or the operator bears it. Nothing is taken by itself.
 */
import type { WithdrawalTransaction } from '@opencashier/contract/api';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Transaction } from '../database/database.ts';
import { freezeUser, lockUserBalance, type PostingLine, postJournal } from '../ledger/ledger.ts';
import type { PaymentsCore } from '../lifecycle/payments-core.ts';
import { ReviewError, recordDecision } from '../lifecycle/review-decision.ts';
import { arrivesOf, payoutLines } from './payout.ts';
import { type WithdrawalRow, withdrawalView } from './withdrawal-row.ts';
import { lockWithdrawal, moveWithdrawal } from './withdrawal-store.ts';

/** Books what a provider paid against suspense. */
export async function suspendLatePayout(transaction: Transaction, row: WithdrawalRow): Promise<void> {
  const { currency: asset, minor } = arrivesOf(row);
  await bookOnce(transaction, row, 'withdrawal_late_paid', [
    { owner: row.provider, asset, kind: 'provider_clearing', amount: minor },
    { owner: '', asset, kind: 'suspense', amount: -minor },
  ]);
}

/**
 * Ends a review. `charge` takes the amount from the account that it would have left, the rest as a debt that freezes the user's
 * accounts; `bear` leaves the user both, at the operator's cost.
 * @param staff who decided; kept in the journal's note
 * @throws ReviewError where there is nothing to decide
 */
export async function settleLateWithdrawal(
  core: Pick<PaymentsCore, 'database' | 'onChange'>,
  withdrawalId: string,
  decision: 'charge' | 'bear',
  staff: string,
): Promise<WithdrawalTransaction> {
  const after = await core.database.transaction(async (transaction) => {
    const row = await lockWithdrawal(transaction, withdrawalId);
    if (row.state !== 'late_paid') throw new ReviewError('There is nothing to decide about this withdrawal');
    const taken = decision === 'charge' ? await takeable(transaction, row) : 0n;
    const lines = decision === 'charge' ? chargeLines(row, taken) : bearLines(row);
    await bookOnce(transaction, row, 'withdrawal_late_settled', lines, `decided by ${staff}: ${decision}`);
    const review = { type: 'withdrawal', id: row.id, nth: 1 } as const;
    await recordDecision(transaction, row.operatorId, review, decision, staff);
    return moveWithdrawal(transaction, row, {
      to: 'late_settled',
      cause: `staff:${staff}`,
      charged: toDecimalString(taken, decimalsOf(row.currency)),
    });
  });
  core.onChange();
  return withdrawalView(after);
}

/** What of the amount is still there, with the accounts locked, and frozen where it is not all. */
async function takeable(transaction: Transaction, row: WithdrawalRow): Promise<bigint> {
  const { operatorId, userId, currency, amount } = row;
  // In the order of a hold that is being made.
  const main = await lockUserBalance(transaction, operatorId, userId, currency);
  const { balance } =
    row.accountType === 'main'
      ? main
      : await lockUserBalance(transaction, operatorId, userId, currency, 'user_additional');
  if (balance >= amount) return amount;
  await freezeUser(transaction, operatorId, userId, currency);
  return balance;
}

function chargeLines(row: WithdrawalRow, taken: bigint): readonly PostingLine[] {
  const { userId: owner, currency: asset, amount, fee } = row;
  return [
    { owner, asset, kind: row.accountType === 'main' ? 'user' : 'user_additional', amount: -taken },
    { owner, asset, kind: 'reversal_debt', amount: taken - amount },
    { owner: '', asset, kind: 'withdrawal_fee', amount: fee },
    ...payoutLines(row, { owner: '', kind: 'suspense' }),
  ];
}

function bearLines(row: WithdrawalRow): readonly PostingLine[] {
  const { currency: asset, minor } = arrivesOf(row);
  return [
    { owner: '', asset, kind: 'operator_clearing', amount: -minor },
    { owner: '', asset, kind: 'suspense', amount: minor },
  ];
}

async function bookOnce(
  transaction: Transaction,
  row: WithdrawalRow,
  kind: string,
  lines: readonly PostingLine[],
  note?: string,
): Promise<void> {
  const result = await postJournal(transaction, {
    operatorId: row.operatorId,
    kind,
    withdrawalId: row.id,
    source: 'hold',
    ref: row.id,
    ...(note !== undefined && { note }),
    lines: lines.filter((line) => line.amount !== 0n),
  });
  if (result === 'duplicate') throw new Error(`Withdrawal ${row.id}: ${kind} was booked before`);
}
