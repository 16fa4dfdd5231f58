/** A bought box in the ledger (SWP-1): one journal takes the money and gives the coins, each currency balanced on its own. */
import { takeBack } from '@opencashier/core/money/debt';
import { GOLD_COIN, SWEEP_COIN } from '@opencashier/core/sweepstake/coins';
import type { Transaction } from '../database/database.ts';
import { lockUserBalance, type PostingLine } from '../ledger/ledger.ts';
import type { StoredBox } from './bought-box.ts';

/** What of a deposit the postings rest on. */
export interface BoxDeposit {
  readonly operatorId: string;
  readonly userId: string;
  readonly currency: string;
  /** The price, in minor units. */
  readonly amount: bigint;
}

/** @param paid at least the price, in minor units: what is above it is the user's money */
export function boxCreditLines(deposit: BoxDeposit, box: StoredBox, paid: bigint): PostingLine[] {
  const { userId, currency, amount: price } = deposit;
  if (paid < price) throw new RangeError('A box is not bought for less than its price');
  return [
    salesLine(currency, price),
    userLine(userId, currency, paid - price),
    ...issueLines(userId, GOLD_COIN, BigInt(box.gold)),
    ...issueLines(userId, SWEEP_COIN, BigInt(box.sweep)),
  ].filter(({ amount }) => amount !== 0n);
}

/** Coins that come into the world, or leave it by a negative amount. */
export function issueLines(userId: string, coin: string, amount: bigint): PostingLine[] {
  return [{ owner: '', asset: coin, kind: 'coin_issue', amount: -amount }, userLine(userId, coin, amount)];
}

/** What is taken back when the payment of a box was: of the money above its price and of the coins as much as is left. */
export interface BoxReversal {
  readonly lines: readonly PostingLine[];
  /** Assets in which the user now owes. Gold is no debt: it was played, and has no value. */
  readonly owed: readonly string[];
}

export async function boxReversal(
  transaction: Transaction,
  deposit: BoxDeposit,
  box: StoredBox,
  credited: bigint,
): Promise<BoxReversal> {
  const { operatorId, userId, currency, amount: price } = deposit;
  const lines: PostingLine[] = [salesLine(currency, -price)];
  const owed: string[] = [];
  for (const [asset, amount] of [
    [currency, credited - price],
    [GOLD_COIN, BigInt(box.gold)],
    [SWEEP_COIN, BigInt(box.sweep)],
  ] as const) {
    const { balance } = await lockUserBalance(transaction, operatorId, userId, asset);
    const { taken, owed: missing } = takeBack(amount, balance);
    const debt = asset === GOLD_COIN ? 0n : missing;
    lines.push(userLine(userId, asset, -taken), { owner: userId, asset, kind: 'reversal_debt', amount: -debt });
    if (asset !== currency) lines.push({ owner: '', asset, kind: 'coin_issue', amount: taken + debt });
    if (debt > 0n) owed.push(asset);
  }
  return { lines: lines.filter(({ amount }) => amount !== 0n), owed };
}

function salesLine(currency: string, amount: bigint): PostingLine {
  return { owner: '', asset: currency, kind: 'coin_sales', amount };
}

function userLine(userId: string, asset: string, amount: bigint): PostingLine {
  return { owner: userId, asset, kind: 'user', amount };
}
