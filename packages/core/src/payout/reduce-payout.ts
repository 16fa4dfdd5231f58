/** Applies a provider's report to a payout. Pure, so that tests can try every order of reports. */
import { judgeWithdrawalReport } from '../withdrawal/withdrawal-approval.ts';
import type { WithdrawalState } from '../withdrawal/withdrawal-lifecycle.ts';
import { arrivesOf, type Payout, type WithdrawalAggregate, type WithdrawalFacts } from './aggregate.ts';
import { PAYOUT_MOVES, payoutStateOf } from './payout-lifecycle.ts';
import type { PayoutEffect, PayoutReport, PayoutVerdict, UnmatchedPayout } from './report.ts';

const STATE_OF_OUTCOME: Readonly<Record<PayoutReport['outcome'], WithdrawalState>> = {
  pending: 'submitted',
  paid: 'paid',
  declined: 'declined',
  returned: 'returned',
};

/** States in which the held amount has gone back to the user. */
const RELEASED: readonly WithdrawalState[] = [
  'declined',
  'cancelled',
  'expired',
  'late_paid',
  'late_settled',
  'late_returned',
];

/**
 * Decides what a report means for a withdrawal (WD-2, SRV-3).
 *
 * A report that contradicts our row books nothing, because either of the two can be wrong. Reports come in any order.
 * A `returned` report that comes before `paid` is unmatched and is tried again later.
 */
export function reducePayout(aggregate: WithdrawalAggregate, report: PayoutReport): PayoutVerdict {
  const { withdrawal, approvalsNeeded, payout } = aggregate;
  const disagrees = contradictionOf(withdrawal, report);
  if (disagrees !== undefined) return { kind: 'unmatched', why: disagrees };
  const to = stateAfter(withdrawal.state, report);
  const judged = judgeWithdrawalReport(withdrawal.state, to, approvalsNeeded);
  if (judged === 'same' || judged === 'stale') return { kind: 'effects', effects: [] };
  if (judged === 'forbidden' || !isPayoutMove(payout, to)) {
    return { kind: 'unmatched', why: reasonOf(withdrawal.state, report) };
  }
  return { kind: 'effects', effects: effectsOf(to) };
}

/** Staff must know whether a report waits for another one, or came after their decision. */
function reasonOf(state: WithdrawalState, { outcome }: PayoutReport): UnmatchedPayout {
  if (outcome !== 'returned') return 'forbidden';
  return state === 'late_settled' ? 'returned-after-settlement' : 'not-paid-yet';
}

/**
 * Whether the payout may make the move of its withdrawal. The database would refuse the report's transaction
 * otherwise.
 */
function isPayoutMove(payout: Payout | undefined, to: WithdrawalState): boolean {
  const next = payoutStateOf(to);
  if (next === undefined) return true;
  return (payout === undefined ? PAYOUT_MOVES.first : PAYOUT_MOVES.next[payout.state]).includes(next);
}

/** Another amount or currency is a contradiction too: it is not the payout that was requested. */
function contradictionOf(withdrawal: WithdrawalFacts, report: PayoutReport): UnmatchedPayout | undefined {
  if (withdrawal.provider !== report.provider) return 'other-provider';
  const { providerRef } = report;
  if (withdrawal.providerRef !== null && providerRef !== undefined && withdrawal.providerRef !== providerRef) {
    return 'other-ref';
  }
  return isOtherAmount(withdrawal, report) ? 'other-amount' : undefined;
}

/**
 * A report of `paid` or `returned` must name the amount. Another report may omit the amount, but must not name a
 * different one.
 */
function isOtherAmount(withdrawal: WithdrawalFacts, { outcome, currency, paidMinor }: PayoutReport): boolean {
  const arrives = arrivesOf(withdrawal);
  const isMoney = outcome === 'paid' || outcome === 'returned';
  const isOther = (reported: unknown, ours: unknown): boolean =>
    reported !== ours && (isMoney || reported !== undefined);
  return isOther(currency, arrives.currency) || isOther(paidMinor, arrives.minor);
}

/** A released hold cannot be posted any more. A payment after the release is therefore late, and so is its return. */
function stateAfter(state: WithdrawalState, { outcome }: PayoutReport): WithdrawalState {
  if (outcome === 'returned' && (state === 'late_paid' || state === 'late_returned')) return 'late_returned';
  return outcome === 'paid' && RELEASED.includes(state) ? 'late_paid' : STATE_OF_OUTCOME[outcome];
}

function effectsOf(to: WithdrawalState): readonly PayoutEffect[] {
  const payout = payoutStateOf(to);
  const moved: readonly PayoutEffect[] = payout === undefined ? [] : [{ kind: 'set-payout', to: payout }];
  switch (to) {
    case 'declined':
      return [...moved, { kind: 'move', to, reason: 'withdrawal.reason.declined', isDecline: true }];
    case 'returned':
      return [
        ...moved,
        { kind: 'book-return' },
        { kind: 'move', to, reason: 'withdrawal.reason.returned', isDecline: true },
      ];
    case 'late_returned':
      return [...moved, { kind: 'book-late-return' }, { kind: 'move', to, reason: 'withdrawal.reason.declined' }];
    case 'late_paid':
      return [...moved, { kind: 'book-late-payout' }, { kind: 'move', to, reason: 'withdrawal.reason.late' }];
    default:
      return [...moved, { kind: 'move', to }];
  }
}
