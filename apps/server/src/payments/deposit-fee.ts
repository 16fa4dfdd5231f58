/** The fee of a deposit: a journal of its own after the credit, so that the credit is always what was paid. */
import type { Transaction } from '../database/database.ts';
import { type DepositRow, paidFee } from '../deposits/deposit-row.ts';
import { type Booked, book } from './booking.ts';

/**
 * Charges the fee that was agreed at creation. Must run right after the credit, in its transaction.
 * @param booked the credited payment
 * @param credited minor units of the deposit's currency
 * @returns the fee in minor units, at most what was credited
 */
export async function chargeDepositFee(
  transaction: Transaction,
  row: DepositRow,
  booked: Booked,
  credited: bigint,
): Promise<bigint> {
  // A refund computes the fee that it gives back by the same function.
  const fee = paidFee({ ...row, credited });
  if (fee === 0n) return 0n;
  await book(transaction, row, booked, 'deposit_fee', [
    { owner: row.userId, asset: row.currency, kind: 'user', amount: -fee },
    { owner: '', asset: row.currency, kind: 'deposit_fee', amount: fee },
  ]);
  return fee;
}
