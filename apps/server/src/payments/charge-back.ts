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
import { boxReversal, type OwedAsset } from '../sweepstake/box-postings.ts';
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

/** Takes the coins back, and the money above the price from wherever the credit gave it. */
async function chargeBackBox(transaction: Transaction, row: DepositRow, booked: Booked, amount: bigint): Promise<void> {
  if (row.box === null) throw new Error(`Deposit ${row.id} bought no coin box`);
  await bringBack(transaction, { ...moneyOf(row, row.currency), amount: amount - row.amount, reason: 'chargeback' });
  const { lines: back, owed } = await boxReversal(transaction, row, row.box, amount);
  const paid: PostingLine = { owner: row.provider, asset: row.currency, kind: 'provider_clearing', amount };
  await book(transaction, row, booked, 'deposit_reversal', [paid, ...back]);
  for (const debt of owed) await claimDebt(transaction, row, debt);
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
  const { operatorId, userId: owner } = row;
  await bringBack(transaction, { ...moneyOf(row, asset), amount, reason: 'chargeback' });
  const { balance } = await lockUserBalance(transaction, operatorId, owner, asset);
  const { taken, owed } = splitReversal(amount, balance);
  await book(transaction, row, booked, 'deposit_reversal', [
    { owner: row.provider, asset, kind: 'provider_clearing', amount },
    { owner, asset, kind: 'user', amount: -taken },
    { owner, asset, kind: 'reversal_debt', amount: -owed },
    ...(isAll && origin === 'deposit' ? await bonusReversalLines(transaction, row) : []),
  ]);
  if (owed > 0n) await claimDebt(transaction, row, { asset, amount: owed });
}

/** Freezes the account of a debt, and claims the debt from the operator's wallet if that keeps the balance. */
async function claimDebt(transaction: Transaction, row: DepositRow, { asset, amount }: OwedAsset): Promise<void> {
  await freezeUser(transaction, row.operatorId, row.userId, asset);
  await askForDebt(transaction, { ...moneyOf(row, asset), amount, reason: 'chargeback' });
}

function moneyOf({ operatorId, userId, id: depositId }: DepositRow, currency: string) {
  return { operatorId, userId, currency, depositId };
}
