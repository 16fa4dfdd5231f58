/** A deposit pays what its user owes first, where the operator has said so (SRV-2); unless it has, a deposit is its user's alone. */
import { payDebtFirst } from '@opencashier/core/money/debt';
import type { Transaction } from '../database/database.ts';
import type { DepositRow } from '../deposits/deposit-row.ts';
import { type Booked, book } from './booking.ts';
import { releaseWhenPaid } from './release-when-paid.ts';

/**
 * Right after the credit, whose posting holds the lock of the user's account: nothing raises or pays a debt without it.
 * @param booked the payment that is credited
 * @param credited in minor units of the deposit's currency
 * @returns what went to the debt
 */
export async function payDebtByDeposit(
  transaction: Transaction,
  row: DepositRow,
  booked: Booked,
  credited: bigint,
): Promise<bigint> {
  // The money of a box is its price, not its user's.
  if (row.box !== null) return 0n;
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
