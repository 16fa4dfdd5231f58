/** When a provider that keeps silent about a withdrawal is asked again. */
import type { WithdrawalState } from '@opencashier/core/withdrawal/withdrawal-lifecycle';

const MINUTE_S = 60;
const HOUR_S = 3600;

/** Nobody knows whether the provider will pay: somebody's money is held, and they see "being checked". */
const UNKNOWN_S = [10, 30, 2 * MINUTE_S, 10 * MINUTE_S, HOUR_S];
/** The provider has it; its call-back may have been lost. */
const SUBMITTED_S = [MINUTE_S, 5 * MINUTE_S, 30 * MINUTE_S];
/** For ever: money that is held is never forgotten, and never let go of by guess. */
const LATER_S = 6 * HOUR_S;

/**
 * Seconds until the provider is asked about a withdrawal in this state; undefined where there is nothing to ask.
 * @param checks how often it was asked since the withdrawal came into the state
 */
export function nextWithdrawalCheckS(state: WithdrawalState, checks: number): number | undefined {
  if (state === 'submitted_unknown') return UNKNOWN_S[checks] ?? LATER_S;
  if (state === 'submitted') return SUBMITTED_S[checks] ?? LATER_S;
  return undefined;
}
