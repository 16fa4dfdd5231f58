/**
 * Computes the shown withdrawals from the cashier's webhooks. Webhooks come in any order, so nothing here depends on the order. A
 * withdrawal has ended as soon as one webhook says so.
 */
import { parseAmount } from './amount.ts';

/** The types of webhooks that are kept, without `withdrawal.`. */
export const withdrawalEvents = [
  'held',
  'awaiting_approval',
  'submitted',
  'processed',
  'declined',
  'cancelled',
  'expired',
  'returned',
  'under_review',
  'settled',
] as const;
type WithdrawalEvent = (typeof withdrawalEvents)[number];

export interface WithdrawalReport {
  readonly webhookId: string;
  readonly event: WithdrawalEvent;
  readonly withdrawalId: string;
  readonly userId: string;
  readonly accountType: 'main' | 'additional';
  /** Decimal string: what left the balance. */
  readonly amount: string;
  readonly currency: string;
  readonly paymentMethod: string;
  /** On `settled`: what was taken after all. Decimal string. */
  readonly charged: string;
  /** ISO 8601. */
  readonly at: string;
}

export interface ShownWithdrawal {
  readonly withdrawalId: string;
  readonly accountType: 'main' | 'additional';
  readonly amount: string;
  readonly currency: string;
  readonly paymentMethod: string;
  /** Held until it is confirmed, sent to the provider, paid, or back on the balance. `not-made`: it ended before anything was held. */
  readonly status: 'held' | 'sent' | 'paid' | 'back' | 'not-made';
  /** Of the first report. */
  readonly at: string;
}

/** What leaves the shown balance, and the part of it that is not paid out yet; both in `parseAmount`'s units, by currency. */
export interface WithdrawalSums {
  readonly gone: Readonly<Record<string, bigint>>;
  readonly held: Readonly<Record<string, bigint>>;
}

export interface WithdrawalBook {
  add(report: WithdrawalReport): void;
  forget(userId: string): void;
  /** In the order of their first webhooks. */
  of(userId: string): ShownWithdrawal[];
  /** Of the main account alone: the additional one is not part of the shown balance. */
  sums(userId: string): WithdrawalSums;
}

interface Told {
  readonly first: WithdrawalReport;
  readonly events: Set<WithdrawalEvent>;
  charged: bigint;
}

const BACK: readonly WithdrawalEvent[] = ['declined', 'cancelled', 'expired', 'returned'];

export function createWithdrawalBook(): WithdrawalBook {
  const byUser = new Map<string, Map<string, Told>>();
  const toldOf = (userId: string): Told[] => [...(byUser.get(userId)?.values() ?? [])];
  return {
    add(report) {
      const own = byUser.get(report.userId) ?? new Map<string, Told>();
      byUser.set(report.userId, own);
      const told = own.get(report.withdrawalId) ?? { first: report, events: new Set(), charged: 0n };
      own.set(report.withdrawalId, told);
      told.events.add(report.event);
      if (report.event === 'settled') told.charged = parseAmount(report.charged) ?? 0n;
    },
    forget: (userId) => byUser.delete(userId),
    of: (userId) =>
      toldOf(userId).map((told) => {
        const { withdrawalId, accountType, amount, currency, paymentMethod, at } = told.first;
        return { withdrawalId, accountType, amount, currency, paymentMethod, status: statusOf(told), at };
      }),
    sums(userId) {
      const [gone, held]: [Record<string, bigint>, Record<string, bigint>] = [{}, {}];
      for (const told of toldOf(userId)) {
        const { accountType, amount, currency } = told.first;
        if (accountType !== 'main') continue;
        const status = statusOf(told);
        const asked = status === 'back' || status === 'not-made' ? 0n : (parseAmount(amount) ?? 0n);
        gone[currency] = (gone[currency] ?? 0n) + asked + told.charged;
        if (status === 'held' || status === 'sent') held[currency] = (held[currency] ?? 0n) + asked;
      }
      return { gone, held };
    },
  };
}

function statusOf({ events }: Told): ShownWithdrawal['status'] {
  if (BACK.some((event) => events.has(event))) return events.has('held') ? 'back' : 'not-made';
  if (events.has('processed')) return 'paid';
  return events.has('submitted') ? 'sent' : 'held';
}
