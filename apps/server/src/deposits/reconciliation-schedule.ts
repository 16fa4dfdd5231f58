/** When a provider is asked about a deposit or refund again. */
import type { DepositState } from '@opencashier/core/deposit/deposit-lifecycle';

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;
const LONGEST_S = 31 * DAY_S;

interface Schedule {
  /** Seconds from one question to the next, for the first questions. */
  readonly first: readonly number[];
  /** Seconds between later questions, until 31 days have passed; absent: no more questions. */
  readonly later?: number;
}

/** The outcome is unknown. The payer may have been charged and sees "being checked". */
const UNKNOWN: Schedule = { first: [10, 30, 2 * MINUTE_S, 10 * MINUTE_S, HOUR_S], later: 6 * HOUR_S };
/** The payer may have paid, and the callback was lost. The deposit is then credited within five minutes. */
const OPEN: Schedule = { first: [30, MINUTE_S, 2 * MINUTE_S], later: 4 * MINUTE_S };
/** Ended without a known payment. A late payment with a lost callback is still found. */
const ENDED: Schedule = { first: [10 * MINUTE_S, HOUR_S, DAY_S, 7 * DAY_S, 22 * DAY_S + 22 * HOUR_S] };

const SCHEDULES: Readonly<Partial<Record<DepositState, Schedule>>> = {
  created: UNKNOWN,
  submitted_unknown: UNKNOWN,
  awaiting_payment: OPEN,
  detected: OPEN,
  confirming: OPEN,
  cancelled: ENDED,
  expired: ENDED,
};

/**
 * Seconds until the provider is asked about a deposit in this state.
 * @param checks number of questions since the deposit entered the state
 * @returns undefined for no more questions: the state is final, or 31 days have passed
 */
export function nextCheckDelayS(state: DepositState, checks: number): number | undefined {
  const schedule = SCHEDULES[state];
  return schedule && delayOf(schedule, checks);
}

/** Like {@link nextCheckDelayS}, for a refund that the provider has not ended. */
export function nextRefundCheckS(checks: number): number | undefined {
  return delayOf(UNKNOWN, checks);
}

function delayOf(schedule: Schedule, checks: number): number | undefined {
  const delay = schedule.first[checks] ?? schedule.later;
  if (delay === undefined) return undefined;
  const passed =
    schedule.first.slice(0, checks).reduce((sum, step) => sum + step, 0) +
    Math.max(0, checks - schedule.first.length) * (schedule.later ?? 0);
  return passed + delay <= LONGEST_S ? delay : undefined;
}
