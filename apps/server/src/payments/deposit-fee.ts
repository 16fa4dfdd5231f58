/** The fee of a deposit: a journal of its own after the credit, so that the credit is always what was paid. */
import { depositFee } from '@opencashier/core/money/fee';
import type { Transaction } from '../database/database.ts';
import type { DepositRow } from '../deposits/deposit-row.ts';
import { type Booked, book } from './booking.ts';

/**
 * Charges the fee that was agreed at creation. Must run right after the credit, in its transaction. The caller stores the fee with the
 * payment: all later work reads it there, because the rules of fees may change.
 * @param booked the credited payment
 * @param credited minor units of the deposit's currency
 * @returns the fee in minor units, at most what was credited, and possibly zero; undefined: none was agreed
 */
export async function chargeDepositFee(
  transaction: Transaction,
  row: DepositRow,
  booked: Booked,
  credited: bigint,
): Promise<bigint | undefined> {
  if (row.fee === null) return undefined;
  const fee = depositFee(credited, row.currency, row.fee);
  if (fee === 0n) return fee;
  await book(transaction, row, booked, 'deposit_fee', [
    { owner: row.userId, asset: row.currency, kind: 'user', amount: -fee },
    { owner: '', asset: row.currency, kind: 'deposit_fee', amount: fee },
  ]);
  return fee;
}
