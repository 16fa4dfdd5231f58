/**
 * This operator computes its users' balances from a journal with one line per webhook. A line is on disk before the webhook is
 * acknowledged. A webhook comes at least once, so the journal keeps at most one line of it, and credits a deposit at most once.
 */
import { mkdir, open, readFile, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { formatAmount } from './amount.ts';
import { createDepositBook, type DepositReport, type ShownDeposit, type Units } from './deposit-book.ts';
import { createWithdrawalBook, type ShownWithdrawal, type WithdrawalReport } from './withdrawal-book.ts';

/** A person pressed "Start over": the balances that are shown begin at zero again. */
interface Reset {
  readonly kind: 'reset';
  readonly userId: string;
  readonly at: string;
}

/** A credit as earlier versions of this journal wrote it. */
type OldCredit = { readonly kind: 'credit' } & Omit<DepositReport, 'event'>;

type Entry =
  | Reset
  | OldCredit
  | ({ readonly kind: 'deposit' } & DepositReport)
  | ({ readonly kind: 'withdrawal' } & WithdrawalReport);

export interface MoneyJournal {
  /** Durable when it resolves. @returns false when this webhook was counted before, or the deposit was credited before */
  deposit(report: DepositReport): Promise<boolean>;
  /** Durable when it resolves. @returns false when this webhook was counted before */
  withdrawal(report: WithdrawalReport): Promise<boolean>;
  reset(userId: string, at: string): Promise<void>;
  /** Decimal strings by currency: what was added, less what was taken back and withdrawn. */
  balances(userId: string): Record<string, string>;
  /** Decimal strings by currency: what has left the balance and is not paid out yet. */
  held(userId: string): Record<string, string>;
  /** Decimal strings by currency: what was spent before its provider took it back. */
  owed(userId: string): Record<string, string>;
  /** Newest first, at most `limit`. */
  deposits(userId: string, limit: number): ShownDeposit[];
  /** Newest first, at most `limit`. */
  withdrawals(userId: string, limit: number): ShownWithdrawal[];
  close(): Promise<void>;
}

/** @throws when the file cannot be read or written, or a line other than a torn last one makes no sense */
export async function openMoneyJournal(file: string): Promise<MoneyJournal> {
  await mkdir(dirname(file), { recursive: true });
  const entries = await readEntries(file);
  const handle = await open(file, 'a', 0o600);
  await syncFolder(dirname(file));

  const webhooks = new Set<string>();
  const deposits = createDepositBook();
  const withdrawals = createWithdrawalBook();
  const apply = (entry: Entry) => {
    if (entry.kind === 'reset') {
      deposits.forget(entry.userId);
      withdrawals.forget(entry.userId);
      return;
    }
    webhooks.add(entry.webhookId);
    if (entry.kind === 'withdrawal') {
      withdrawals.add(entry);
      return;
    }
    const report = entry.kind === 'credit' ? { ...entry, event: 'processed' as const } : entry;
    deposits.add(report, withdrawals.sums(report.userId).gone);
  };
  for (const entry of entries) apply(entry);

  // One writer at a time. Otherwise two webhooks of one deposit could both read before either has written.
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
    deposit: (report) =>
      inTurn(async () => {
        const isKnown = report.event === 'processed' && deposits.hasCredited(report.depositId);
        if (webhooks.has(report.webhookId) || isKnown) return false;
        await write({ kind: 'deposit', ...report });
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
      const units: Record<string, bigint> = { ...deposits.sums(userId).has };
      for (const [currency, gone] of Object.entries(withdrawals.sums(userId).gone)) {
        const left = (units[currency] ?? 0n) - gone;
        // After "Start over" the cashier may pay out what is no longer shown here.
        units[currency] = left > 0n ? left : 0n;
      }
      return written(units);
    },
    held: (userId) => written(withdrawals.sums(userId).held),
    owed: (userId) => written(deposits.sums(userId).owed),
    deposits: (userId, limit) => deposits.of(userId).slice(-limit).reverse(),
    withdrawals: (userId, limit) => withdrawals.of(userId).slice(-limit).reverse(),
    close: () => inTurn(() => handle.close()),
  };
}

function written(units: Units): Record<string, string> {
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
  // A power cut tore the last line. Its webhook was never acknowledged, so it comes again.
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
