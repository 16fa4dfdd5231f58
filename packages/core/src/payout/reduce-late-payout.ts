/** Staff decide about a payout that the provider made after the held amount had gone back to the user. */
import type { WithdrawalState } from '../withdrawal/withdrawal-lifecycle.ts';
import type { LateDecision, PayoutEffect } from './report.ts';

/**
 * `charge` takes the amount from the user's account, `bear` leaves the user both amounts at the operator's cost.
 * @returns undefined where there is nothing to decide
 */
export function reduceLatePayout(state: WithdrawalState, decision: LateDecision): readonly PayoutEffect[] | undefined {
  if (state !== 'late_paid') return undefined;
  return [
    { kind: 'settle-late-payout', decision },
    { kind: 'move', to: 'late_settled' },
  ];
}
