/** How long a withdrawal waits for its user, and when a provider is asked about it again. */
import type { WithdrawalState } from '@opencashier/core/withdrawal/withdrawal-lifecycle';

/** Seconds for which an amount is held before the user confirms. */
export const HOLD_LIFETIME_S = 900;

const MINUTE_S = 60;
const HOUR_S = 3600;

/** The outcome is unknown. The user's money is held, and the user sees "being checked". */
const UNKNOWN_S = [10, 30, 2 * MINUTE_S, 10 * MINUTE_S, HOUR_S];
/** The provider has accepted the withdrawal; its callback may be lost. */
const SUBMITTED_S = [MINUTE_S, 5 * MINUTE_S, 30 * MINUTE_S];
/** Repeats without an end, because held money is never released on a guess. */
const LATER_S = 6 * HOUR_S;

/**
 * Seconds until the provider is asked about a withdrawal in this state; undefined: no question.
 * @param checks number of questions since the withdrawal entered the state
 */
export function nextWithdrawalCheckS(state: WithdrawalState, checks: number): number | undefined {
  if (state === 'submitted_unknown') return UNKNOWN_S[checks] ?? LATER_S;
  if (state === 'submitted') return SUBMITTED_S[checks] ?? LATER_S;
  return undefined;
}
