/**
 * Computes balances and the shown deposits from the cashier's webhooks. Webhooks come in any order. What follows a credit therefore
 * waits for it.
 */
import { parseAmount } from './amount.ts';

/** The types of webhooks that are kept, without `deposit.`. */
export const depositEvents = [
  'processed',
  'declined',
  'cancelled',
  'expired',
  'under_review',
  'refunded',
  'refund_declined',
  'reversed',
  'reinstated',
] as const;
type DepositEvent = (typeof depositEvents)[number];

/** Bonus money in the currency of the deposit as a decimal string, or free spins. */
export type EarnedBonus = { readonly amount: string } | { readonly spins: number };

export interface DepositReport {
  readonly webhookId: string;
  readonly event: DepositEvent;
  readonly depositId: string;
  readonly userId: string;
  /** Decimal string. */
  readonly amount: string;
  readonly currency: string;
  readonly paymentMethod: string;
  /** On `processed` and `reinstated`: what of the amount paid a debt and never reached the balance. Decimal string. */
  readonly paidDebt?: string;
  /** On `processed`: the fee that the user pays of the amount. Decimal string. */
  readonly fee?: string;
  /** A coin box: the user gets these coins instead of the amount. Decimal strings by coin. */
  readonly coins?: Readonly<Record<string, string>>;
  /** On `processed`: the bonus that the deposit earned. */
  readonly bonus?: EarnedBonus;
  /** ISO 8601. */
  readonly at: string;
}

export interface ShownDeposit {
  readonly depositId: string;
  readonly amount: string;
  readonly currency: string;
  readonly paymentMethod: string;
  /** On the balance, taken back again, not paid, or waiting for a decision of people. */
  readonly status: 'added' | 'taken-back' | 'not-paid' | 'in-review';
  /** Of the first report. */
  readonly at: string;
  /** What a coin box gave, once it is credited. Decimal strings by coin. */
  readonly coins?: Readonly<Record<string, string>>;
  /** Once it is credited. */
  readonly bonus?: EarnedBonus;
}

/** Units of `parseAmount`, by currency or coin. */
export type Units = Readonly<Record<string, bigint>>;

export interface DepositBook {
  /** @param gone what withdrawals have taken from the balance so far: money that is spent cannot be taken back, and is owed */
  add(report: DepositReport, gone: Units): void;
  /** Whether this deposit was credited before. */
  hasCredited(depositId: string): boolean;
  forget(userId: string): void;
  /** In the order of their first webhooks. */
  of(userId: string): ShownDeposit[];
  /** What deposits left on the balance, and what the user owes because it was spent before it was taken back. */
  sums(userId: string): { readonly has: Units; readonly owed: Units };
}

interface Told {
  readonly first: DepositReport;
  credit?: DepositReport;
  readonly events: Set<DepositEvent>;
  /** How often it was taken back and not given back since. */
  takenBack: number;
  /** Told before the credit. */
  readonly early: DepositReport[];
}

interface User {
  readonly deposits: Map<string, Told>;
  readonly has: Record<string, bigint>;
  readonly owed: Record<string, bigint>;
}

export function createDepositBook(): DepositBook {
  const users = new Map<string, User>();
  const credited = new Set<string>();
  return {
    add(report, gone) {
      const user: User = users.get(report.userId) ?? { deposits: new Map(), has: {}, owed: {} };
      users.set(report.userId, user);
      const told: Told = user.deposits.get(report.depositId) ?? {
        first: report,
        events: new Set(),
        takenBack: 0,
        early: [],
      };
      user.deposits.set(report.depositId, told);
      told.events.add(report.event);
      if (report.event === 'processed') {
        credited.add(report.depositId);
        told.credit = report;
        give(user, report);
        for (const earlier of told.early.splice(0)) follow(user, told, earlier, gone);
      }
      if (report.event !== 'reversed' && report.event !== 'refunded' && report.event !== 'reinstated') return;
      if (told.events.has('processed')) follow(user, told, report, gone);
      else told.early.push(report);
    },
    hasCredited: (depositId) => credited.has(depositId),
    forget: (userId) => users.delete(userId),
    of: (userId) =>
      [...(users.get(userId)?.deposits.values() ?? [])].map((told) => {
        const { depositId, amount, currency, paymentMethod, at } = told.first;
        const { coins, bonus } = told.credit ?? {};
        const given = { ...(coins && { coins }), ...(bonus && { bonus }) };
        return { depositId, amount, currency, paymentMethod, at, status: statusOf(told), ...given };
      }),
    sums: (userId) => users.get(userId) ?? { has: {}, owed: {} },
  };
}

function creditOf({ amount, currency, paidDebt, fee, coins }: DepositReport): [string, bigint][] {
  if (coins !== undefined) return Object.entries(coins).map(([coin, sum]) => [coin, parseAmount(sum) ?? 0n]);
  return [[currency, (parseAmount(amount) ?? 0n) - (parseAmount(fee) ?? 0n) - (parseAmount(paidDebt) ?? 0n)]];
}

/** What happens to a credited deposit. */
function follow(user: User, told: Told, report: DepositReport, gone: Units): void {
  const isGivenBack = report.event === 'reinstated';
  told.takenBack += isGivenBack ? -1 : 1;
  if (isGivenBack) give(user, report);
  else takeBack(user, report, gone);
}

function give(user: User, report: DepositReport): void {
  for (const [asset, units] of creditOf(report)) user.has[asset] = (user.has[asset] ?? 0n) + units;
  payDebt(user, report);
}

function payDebt(user: User, { currency, paidDebt }: DepositReport): void {
  const left = (user.owed[currency] ?? 0n) - (parseAmount(paidDebt) ?? 0n);
  if (currency in user.owed) user.owed[currency] = left > 0n ? left : 0n;
}

function takeBack(user: User, report: DepositReport, gone: Units): void {
  // A debt that the deposit paid does not shrink what its provider takes back.
  for (const [asset, units] of creditOf({ ...report, paidDebt: '0.00' })) {
    const left = (user.has[asset] ?? 0n) - (gone[asset] ?? 0n);
    const spendable = left > 0n ? left : 0n;
    const taken = units < spendable ? units : spendable;
    user.has[asset] = (user.has[asset] ?? 0n) - taken;
    if (taken < units) user.owed[asset] = (user.owed[asset] ?? 0n) + units - taken;
  }
}

const NOT_PAID: readonly DepositEvent[] = ['declined', 'cancelled', 'expired', 'refunded'];

function statusOf({ events, takenBack }: Told): ShownDeposit['status'] {
  if (events.has('processed')) return takenBack > 0 ? 'taken-back' : 'added';
  if (events.has('reversed')) return 'taken-back';
  if (NOT_PAID.some((event) => events.has(event))) return 'not-paid';
  // Only a credited deposit can have a failed refund; the webhook of the credit is still on the way.
  return events.has('under_review') ? 'in-review' : 'added';
}
