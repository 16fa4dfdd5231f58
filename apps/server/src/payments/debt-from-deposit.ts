/**
 * A deposit first pays the user's debt, if the operator enabled this (SRV-2). Otherwise the user gets the whole
 * deposit.
 */
import { payDebtFirst } from '@opencashier/core/money/debt';
import type { Transaction } from '../database/database.ts';
import type { DepositRow } from '../deposits/deposit-row.ts';
import { type Booked, book } from './booking.ts';
import { releaseWhenPaid } from './release-when-paid.ts';

/**
 * Pays a debt from a credited deposit. Must run right after the credit, whose posting holds the lock of the user's
 * account. Every change of a debt needs this lock.
 * @param booked the credited payment
 * @param credited minor units of the deposit's currency, less its fee
 * @returns minor units that paid the debt
 */
export async function payDebtByDeposit(
  transaction: Transaction,
  row: DepositRow,
  booked: Booked,
  credited: bigint,
): Promise<bigint> {
  // The payment of a coin box is its price. The user has no money from it.
  if (row.box !== null || credited === 0n) return 0n;
  const [found] = await transaction.query<{ debt: bigint }>({
    name: 'deposit-pays-debt',
    text: `select -account.balance as debt from operator join account on account.operator_id = operator.id
      where operator.id = $1 and operator.debts_paid_by_deposits and account.owner = $2 and account.asset = $3
        and account.kind = 'reversal_debt' and account.balance < 0`,
    values: [row.operatorId, row.userId, row.currency],
  });
  if (found === undefined) return 0n;
  const { toDebt } = payDebtFirst(credited, found.debt);
  await book(transaction, row, booked, 'debt_payment', [
    { owner: row.userId, asset: row.currency, kind: 'user', amount: -toDebt },
    { owner: row.userId, asset: row.currency, kind: 'reversal_debt', amount: toDebt },
  ]);
  await releaseWhenPaid(transaction, row.operatorId, row.userId, row.currency);
  return toDebt;
}
