/**
 * The operator's own balance, in the mode `pass-through`: a file with one line for each movement. A real site has a table with a
 * unique key instead.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { VerifiedWebhook } from '@opencashier/server';

interface Movement {
  /** Counts once. */
  readonly key: string;
  readonly depositId: string;
  readonly userId: string;
  readonly currency: string;
  /** Whole cents: a fraction of a number is not exact. */
  readonly cents: number;
}

const file = process.env['BOOK_FILE'] ?? 'book.jsonl';

/** A currency with more or fewer decimals needs its own digits here. */
function toCents(amount: string): number {
  if (!/^\d{1,12}\.\d\d$/.test(amount)) throw new TypeError(`This amount cannot be booked: ${amount}`);
  return Number(amount.replace('.', ''));
}

function movements(): Movement[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Movement);
}

/** Books what a webhook says about money. A repeat books nothing; other types move no money of a site that only takes deposits. */
export function record({ id, type, data }: VerifiedWebhook): void {
  const isAdded = type === 'deposit.processed' || type === 'deposit.reinstated';
  if (!isAdded && type !== 'deposit.refunded' && type !== 'deposit.reversed') return;
  const { depositId, userId, currency } = data;
  const sign = isAdded ? 1 : -1;
  const fee = 'fee' in data && data.fee !== undefined ? toCents(data.fee) : 0;
  const cents = sign * (toCents(data.amount) - fee);
  // A deposit is credited and refunded once. A provider may take it back, and give it back, in parts.
  const isOnce = type === 'deposit.processed' || type === 'deposit.refunded';
  const key = isOnce ? `${type} ${depositId}` : id;
  if (movements().some((movement) => movement.key === key)) return;
  // Nothing else of this process runs between the question and the line.
  appendFileSync(file, `${JSON.stringify({ key, depositId, userId, currency, cents })}\n`);
}

/** Webhooks come in any order: what follows a credit counts when the credit is there. */
export function balanceOf({ id, currency }: { readonly id: string; readonly currency: string }): string {
  const own = movements().filter((movement) => movement.userId === id && movement.currency === currency);
  const credits = own.filter(({ key }) => key.startsWith('deposit.processed '));
  const credited = new Set(credits.map(({ depositId }) => depositId));
  const cents = own
    .filter(({ depositId }) => credited.has(depositId))
    .reduce((sum, movement) => sum + movement.cents, 0);
  return (cents / 100).toFixed(2);
}
