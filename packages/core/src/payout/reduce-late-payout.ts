/** Staff decide about a late payout. The provider paid after the held amount had gone back to the user. */
import type { WithdrawalState } from '../withdrawal/withdrawal-lifecycle.ts';
import type { LateDecision, PayoutEffect } from './report.ts';

/**
 * Decides a late payout (WD-2). `charge`: the user's account pays the amount. `bear`: the user keeps both amounts,
 * and the operator pays.
 * @returns undefined when the withdrawal has no late payout to decide
 */
export function reduceLatePayout(state: WithdrawalState, decision: LateDecision): readonly PayoutEffect[] | undefined {
  if (state !== 'late_paid') return undefined;
  return [
    { kind: 'settle-late-payout', decision },
    { kind: 'move', to: 'late_settled' },
  ];
}
