/**
 * Chargebacks (SRV-2). The provider takes money from suspense, or from the user's balance. A shortfall becomes a debt
 * that freezes the account.
 */
import { splitReversal } from '@opencashier/core/money/debt';
import { isGone, type Payment } from '@opencashier/core/payment/aggregate';
import type { Effect } from '@opencashier/core/payment/report';
import type { Transaction } from '../database/database.ts';
import type { DepositRow } from '../deposits/deposit-row.ts';
import { freezeUser, lockUserBalance, type PostingLine } from '../ledger/ledger.ts';
import { measure } from '../observability/measure.ts';
import { askForDebt } from '../operator-wallet/wallet-debts.ts';
import { bringBack } from '../operator-wallet/wallet-money.ts';
import type { DepositReport } from '../providers/provider.ts';
import { boxReversal } from '../sweepstake/box-postings.ts';
import { bonusReversalLines } from './bonus-postings.ts';
import { type Booked, book } from './booking.ts';
import { suspenseOutLines } from './payment-postings.ts';
import { insertDispute, setPaymentState } from './payment-store.ts';

type ChargeBack = Extract<Effect, { kind: 'charge-back' }>;

/**
 * Stores and books a chargeback.
 * @returns minor units that the user paid, in the payment's currency; 0 when the money was in suspense
 */
export async function chargeBack(
  transaction: Transaction,
  row: DepositRow,
  { payment, amount, part, isAll }: ChargeBack,
  { eventId }: Pick<DepositReport, 'eventId'>,
): Promise<bigint> {
  const disputeId = await insertDispute(transaction, row, payment, {
    amount,
    eventId,
    ...(part !== undefined && { part }),
  });
  measure(transaction, 'disputes', { provider: row.provider, state: 'opened' });
  const isSuspended = payment.state === 'in_review';
  if (isAll && !isGone(payment)) await setPaymentState(transaction, row.operatorId, payment.id, 'charged_back');
  if (isSuspended) {
    const booked = { paymentId: payment.id, disputeId, ref: payment.ref, note: `taken back: ${eventId}` };
    await book(transaction, row, booked, 'suspense_out', await suspenseOutLines(transaction, row, payment));
    return 0n;
  }
  const ref = isAll || part === undefined ? payment.ref : `${payment.ref}:part:${part}`;
  const booked = { paymentId: payment.id, disputeId, ref };
  if (row.box !== null && payment.origin === 'deposit') await chargeBackBox(transaction, row, booked, amount);
  else await chargeBackUser(transaction, row, booked, payment, amount, isAll);
  return amount;
}

/** Takes the coins back, and what was paid above the price: that part was money of the user, which the operator may keep. */
async function chargeBackBox(transaction: Transaction, row: DepositRow, booked: Booked, amount: bigint): Promise<void> {
  if (row.box === null) throw new Error(`Deposit ${row.id} bought no coin box`);
  const { operatorId, userId, currency, id: depositId } = row;
  const why = { operatorId, userId, reason: 'chargeback', depositId } as const;
  await bringBack(transaction, { ...why, currency, amount: amount - row.amount });
  const { lines: back, owed } = await boxReversal(transaction, row, row.box, amount);
  const paid: PostingLine = { owner: row.provider, asset: currency, kind: 'provider_clearing', amount };
  await book(transaction, row, booked, 'deposit_reversal', [paid, ...back]);
  for (const debt of owed) {
    await freezeUser(transaction, operatorId, userId, debt.asset);
    await askForDebt(transaction, { ...why, currency: debt.asset, amount: debt.amount });
  }
}

/** Charges the user. The bonus is only taken back with the whole payment. */
async function chargeBackUser(
  transaction: Transaction,
  row: DepositRow,
  booked: Booked,
  { asset, origin }: Payment,
  amount: bigint,
  isAll: boolean,
): Promise<void> {
  const { operatorId, userId: owner, id: depositId } = row;
  await bringBack(transaction, { operatorId, userId: owner, currency: asset, amount, reason: 'chargeback', depositId });
  const { balance } = await lockUserBalance(transaction, operatorId, owner, asset);
  const { taken, owed } = splitReversal(amount, balance);
  await book(transaction, row, booked, 'deposit_reversal', [
    { owner: row.provider, asset, kind: 'provider_clearing', amount },
    { owner, asset, kind: 'user', amount: -taken },
    { owner, asset, kind: 'reversal_debt', amount: -owed },
    ...(isAll && origin === 'deposit' ? await bonusReversalLines(transaction, row) : []),
  ]);
  if (owed === 0n) return;
  await freezeUser(transaction, operatorId, owner, asset);
  await askForDebt(transaction, {
    operatorId,
    userId: owner,
    currency: asset,
    amount: owed,
    reason: 'chargeback',
    depositId,
  });
}
