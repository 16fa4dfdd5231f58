/** A bought box in the ledger (SWP-1). One journal books the price and the coins, and each currency sums to zero. */
import { splitReversal } from '@opencashier/core/money/debt';
import { GOLD_COIN, SWEEP_COIN } from '@opencashier/core/sweepstake/coins';
import type { Transaction } from '../database/database.ts';
import { lockUserBalance, type PostingLine } from '../ledger/ledger.ts';
import type { StoredBox } from './bought-box.ts';

/** The fields of a deposit that the postings need. */
export interface BoxDeposit {
  readonly operatorId: string;
  readonly userId: string;
  readonly currency: string;
  /** The price, in minor units. */
  readonly amount: bigint;
}

/** @param paid at least the price, in minor units; the user keeps the rest as money */
export function boxCreditLines(deposit: BoxDeposit, box: StoredBox, paid: bigint): PostingLine[] {
  const { userId, currency, amount: price } = deposit;
  if (paid < price) throw new RangeError('A box cannot be bought below its price');
  return [
    salesLine(currency, price),
    userLine(userId, currency, paid - price),
    ...issueLines(userId, GOLD_COIN, BigInt(box.gold)),
    ...issueLines(userId, SWEEP_COIN, BigInt(box.sweep)),
  ].filter(({ amount }) => amount !== 0n);
}

/** Issues coins, or removes them with a negative amount. */
export function issueLines(userId: string, coin: string, amount: bigint): PostingLine[] {
  return [{ owner: '', asset: coin, kind: 'coin_issue', amount: -amount }, userLine(userId, coin, amount)];
}

/** The reversal of a box: the money above its price, and as many of its coins as are left. */
export interface BoxReversal {
  readonly lines: readonly PostingLine[];
  /** New debts of the user, in minor units. Missing gold coins are no debt, because they were played and have no value. */
  readonly owed: readonly { readonly asset: string; readonly amount: bigint }[];
}

/** The postings of a box's reversal after a chargeback. Locks the user's accounts. */
export async function boxReversal(
  transaction: Transaction,
  deposit: BoxDeposit,
  box: StoredBox,
  credited: bigint,
): Promise<BoxReversal> {
  const { operatorId, userId, currency, amount: price } = deposit;
  const lines: PostingLine[] = [salesLine(currency, -price)];
  const owed: BoxReversal['owed'][number][] = [];
  for (const [asset, amount] of [
    [currency, credited - price],
    [GOLD_COIN, BigInt(box.gold)],
    [SWEEP_COIN, BigInt(box.sweep)],
  ] as const) {
    const { balance } = await lockUserBalance(transaction, operatorId, userId, asset);
    const { taken, owed: missing } = splitReversal(amount, balance);
    const debt = asset === GOLD_COIN ? 0n : missing;
    lines.push(userLine(userId, asset, -taken), { owner: userId, asset, kind: 'reversal_debt', amount: -debt });
    if (asset !== currency) lines.push({ owner: '', asset, kind: 'coin_issue', amount: taken + debt });
    if (debt > 0n) owed.push({ asset, amount: debt });
  }
  return { lines: lines.filter(({ amount }) => amount !== 0n), owed };
}

function salesLine(currency: string, amount: bigint): PostingLine {
  return { owner: '', asset: currency, kind: 'coin_sales', amount };
}

function userLine(userId: string, asset: string, amount: bigint): PostingLine {
  return { owner: userId, asset, kind: 'user', amount };
}
