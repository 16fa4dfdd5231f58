/**
 * This operator computes its users' balances from a journal with one line per webhook. A line is on disk before the webhook is
 * acknowledged. A webhook comes at least once, so the journal keeps at most one line of it, and credits a deposit at most once.
 */
import { openLines } from '../../../../examples/backend/lines.mjs';
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
  const lines = await openLines<Entry>(file);
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
  for (const entry of lines.entries) apply(entry);

  const { inTurn } = lines;
  const write = async (entry: Entry) => {
    await lines.append(entry);
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
    close: () => lines.close(),
  };
}

function written(units: Units): Record<string, string> {
  return Object.fromEntries(Object.entries(units).map(([currency, sum]) => [currency, formatAmount(sum)]));
}
