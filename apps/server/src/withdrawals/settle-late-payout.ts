/**
 * Late payouts: the provider paid after the hold was released, so the user has both amounts. The paid amount is in
 * suspense. Staff decide whether the user pays the amount back, or the operator bears the loss. Nothing is taken
 * without their decision.
 */
import type { WithdrawalTransaction } from '@opencashier/contract/api';
import { reduceLatePayout } from '@opencashier/core/payout/reduce-late-payout';
import type { LateDecision } from '@opencashier/core/payout/report';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { ReviewError, recordDecision } from '../reviews/review-decision.ts';
import { findPayout } from './payout-store.ts';
import { runPayoutEffects } from './run-payout-effects.ts';
import { withdrawalView } from './withdrawal-row.ts';
import { lockWithdrawal, type WithdrawalId } from './withdrawal-store.ts';

/** A withdrawal whose late payout staff decide about. */
export interface ReviewedPayout extends WithdrawalId {
  /** The API key that sent the decision. Absent: the command line. */
  readonly keyId?: string | undefined;
}

/**
 * Ends the review of a late payout (WD-2). `charge`: the account of the withdrawal pays, and a shortfall becomes a
 * debt that freezes the user's accounts. `bear`: the user keeps both amounts at the operator's cost.
 * @param staff who decided; stored in the journal's note
 * @throws ReviewError when there is nothing to decide
 */
export async function settleLatePayout(
  core: Pick<PaymentsCore, 'database' | 'onChange'>,
  withdrawal: ReviewedPayout,
  decision: LateDecision,
  staff: string,
): Promise<WithdrawalTransaction> {
  const after = await core.database.transaction(async (transaction) => {
    const row = await lockWithdrawal(transaction, withdrawal);
    const effects = reduceLatePayout(row.state, decision);
    if (effects === undefined) throw new ReviewError('This withdrawal has no open review');
    const review = { type: 'withdrawal', id: row.id, nth: 1 } as const;
    await recordDecision(transaction, row.operatorId, review, decision, staff, withdrawal.keyId);
    const payout = await findPayout(transaction, row);
    return runPayoutEffects({ transaction, row, payout, source: { cause: `staff:${staff}`, staff } }, effects);
  });
  core.onChange();
  return withdrawalView(after);
}
