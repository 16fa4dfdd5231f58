/**
 * What this operator knows about its users' balances: a journal of credits and withdrawals, one line each, written to disk before
 * the web-hook is acknowledged. A web-hook comes at least once, so a line is added at most once per web-hook and per deposit.
 */
import { mkdir, open, readFile, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { formatAmount, parseAmount } from './amount.ts';
import { createWithdrawalBook, type ShownWithdrawal, type WithdrawalReport } from './withdrawal-book.ts';

export interface Credit {
  readonly kind: 'credit';
  readonly webhookId: string;
  readonly depositId: string;
  readonly userId: string;
  /** Decimal string. */
  readonly amount: string;
  readonly currency: string;
  readonly paymentMethod: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A person pressed "Start over": the balances that are shown begin at zero again. */
interface Reset {
  readonly kind: 'reset';
  readonly userId: string;
  readonly at: string;
}

type Entry = Credit | Reset | ({ readonly kind: 'withdrawal' } & WithdrawalReport);

export interface CreditJournal {
  /** Durable when it resolves. @returns false when this web-hook or deposit was counted before */
  credit(credit: Omit<Credit, 'kind'>): Promise<boolean>;
  /** Durable when it resolves. @returns false when this web-hook was counted before */
  withdrawal(report: WithdrawalReport): Promise<boolean>;
  reset(userId: string, at: string): Promise<void>;
  /** Decimal strings by currency: what was added, less what was withdrawn. */
  balances(userId: string): Record<string, string>;
  /** Decimal strings by currency: what has left the balance and is not paid out yet. */
  held(userId: string): Record<string, string>;
  /** Newest first, at most `limit`. */
  recent(userId: string, limit: number): Credit[];
  /** Newest first, at most `limit`. */
  withdrawals(userId: string, limit: number): ShownWithdrawal[];
  close(): Promise<void>;
}

/** @throws when the file cannot be read or written, or a line other than a torn last one makes no sense */
export async function openCreditJournal(file: string): Promise<CreditJournal> {
  await mkdir(dirname(file), { recursive: true });
  const entries = await readEntries(file);
  const handle = await open(file, 'a', 0o600);
  await syncFolder(dirname(file));

  const webhooks = new Set<string>();
  const deposits = new Set<string>();
  const credits = new Map<string, Credit[]>();
  const withdrawals = createWithdrawalBook();
  const apply = (entry: Entry) => {
    if (entry.kind === 'reset') {
      credits.delete(entry.userId);
      withdrawals.forget(entry.userId);
      return;
    }
    webhooks.add(entry.webhookId);
    if (entry.kind === 'withdrawal') {
      withdrawals.add(entry);
      return;
    }
    deposits.add(entry.depositId);
    credits.set(entry.userId, [...(credits.get(entry.userId) ?? []), entry]);
  };
  for (const entry of entries) apply(entry);

  // One writer at a time: two web-hooks of one deposit must not both look before either has written.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => undefined); // The caller hears of the failure; the next in turn goes on.
    return result;
  };
  const write = async (entry: Entry) => {
    const { size } = await handle.stat();
    try {
      await handle.appendFile(`${JSON.stringify(entry)}\n`);
      await handle.sync();
    } catch (error) {
      // Half a line would spoil the next one.
      await handle.truncate(size);
      throw error;
    }
    apply(entry);
  };

  return {
    credit: (credit) =>
      inTurn(async () => {
        if (webhooks.has(credit.webhookId) || deposits.has(credit.depositId)) return false;
        await write({ kind: 'credit', ...credit });
        return true;
      }),
    withdrawal: (report) =>
      inTurn(async () => {
        if (webhooks.has(report.webhookId)) return false;
        await write({ kind: 'withdrawal', ...report });
        return true;
      }),
    reset: (userId, at) => inTurn(() => write({ kind: 'reset', userId, at })),
    balances(userId) {
      const units: Record<string, bigint> = {};
      for (const { amount, currency } of credits.get(userId) ?? []) {
        units[currency] = (units[currency] ?? 0n) + (parseAmount(amount) ?? 0n);
      }
      for (const [currency, gone] of Object.entries(withdrawals.sums(userId).gone)) {
        const left = (units[currency] ?? 0n) - gone;
        // After "Start over" the cashier may pay out what is no longer shown here.
        units[currency] = left > 0n ? left : 0n;
      }
      return written(units);
    },
    held: (userId) => written(withdrawals.sums(userId).held),
    recent: (userId, limit) => (credits.get(userId) ?? []).slice(-limit).reverse(),
    withdrawals: (userId, limit) => withdrawals.of(userId).slice(-limit).reverse(),
    close: () => inTurn(() => handle.close()),
  };
}

function written(units: Readonly<Record<string, bigint>>): Record<string, string> {
  return Object.fromEntries(Object.entries(units).map(([currency, sum]) => [currency, formatAmount(sum)]));
}

async function readEntries(file: string): Promise<Entry[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  // The power went while a line was written: it was never acknowledged, so the web-hook comes again.
  if (whole.length < text.length) await truncate(file, Buffer.byteLength(whole));
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);
}

/** A new file is there after a power cut only when its folder was synced as well. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
