/** When a provider that keeps silent is asked again. */
import type { DepositState } from '@opencashier/core/deposit/deposit-lifecycle';

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;
const LONGEST_S = 31 * DAY_S;

interface Schedule {
  /** Seconds from one question to the next. */
  readonly first: readonly number[];
  /** From then on, until 31 days have passed; absent: no more questions. */
  readonly later?: number;
}

/** The outcome is not known: somebody may have been charged and sees "being checked". */
const UNKNOWN: Schedule = { first: [10, 30, 2 * MINUTE_S, 10 * MINUTE_S, HOUR_S], later: 6 * HOUR_S };
/** Somebody may have paid and the call-back was lost: credited within five minutes all the same. */
const OPEN: Schedule = { first: [30, MINUTE_S, 2 * MINUTE_S], later: 4 * MINUTE_S };
/** Ended without money, as far as anybody knows: the few late payments whose call-back was lost too are found in the end. */
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
 * @param checks how often it was asked since the deposit came into the state
 * @returns undefined when it is not to be asked any more: the state is final, or 31 days have passed
 */
export function nextCheckDelayS(state: DepositState, checks: number): number | undefined {
  const schedule = SCHEDULES[state];
  return schedule && delayOf(schedule, checks);
}

/** As {@link nextCheckDelayS}, of a refund that the provider has not said the end of. */
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
