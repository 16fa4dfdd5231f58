/** Journal lines that put a payment into suspense, and that credit the user from there. */
import { payDebtFirst } from '@opencashier/core/money/debt';
import type { Payment } from '@opencashier/core/payment/aggregate';
import type { Transaction } from '../database/database.ts';
import type { DepositRow } from '../deposits/deposit-row.ts';
import { bookedLines } from '../ledger/booked-lines.ts';
import { accountBalance, lockUserBalance, type PostingLine } from '../ledger/ledger.ts';
import { creditLinesNow } from './credit-lines.ts';

/** From the provider's account into suspense. */
export function suspenseInLines(
  { provider: owner }: DepositRow,
  { asset, amount }: Pick<Payment, 'asset' | 'amount'>,
): PostingLine[] {
  return [
    { owner, asset, kind: 'provider_clearing', amount: -amount },
    { owner: '', asset, kind: 'suspense', amount },
  ];
}

/** The reverse of the lines that put a payment into suspense. */
export async function suspenseOutLines(
  transaction: Transaction,
  { operatorId }: Pick<DepositRow, 'operatorId'>,
  { id }: Pick<Payment, 'id'>,
): Promise<PostingLine[]> {
  const arrival = { operatorId, source: 'payment', ref: id, kind: 'payment_suspended_once' };
  const lines = await bookedLines(transaction, arrival);
  return lines.map((line) => ({ ...line, amount: -line.amount }));
}

/**
 * From suspense to the user. The deposit's own payment is credited like any deposit. Returned money pays the user's
 * debt first.
 */
export async function reviewCreditLines(
  transaction: Transaction,
  row: DepositRow,
  payment: Payment,
): Promise<PostingLine[]> {
  const { asset, amount } = payment;
  const out: PostingLine = { owner: '', asset, kind: 'suspense', amount: -amount };
  if (payment.origin === 'deposit') return [out, ...(await creditLinesNow(transaction, row, amount))];
  const { operatorId, userId: owner } = row;
  await lockUserBalance(transaction, operatorId, owner, asset);
  const owed = -(await accountBalance(transaction, operatorId, { owner, asset, kind: 'reversal_debt' }));
  const { toDebt, toUser } = payDebtFirst(amount, owed);
  return [out, { owner, asset, kind: 'reversal_debt', amount: toDebt }, { owner, asset, kind: 'user', amount: toUser }];
}
