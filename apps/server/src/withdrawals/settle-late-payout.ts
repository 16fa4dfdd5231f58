/**
 * A payout that the provider made after the held amount had gone back to the user. What it paid lies in suspense. Staff decide whether
 * the user, who has both amounts, pays it back, or the operator bears it. Nothing is taken without their decision.
 */
import type { WithdrawalTransaction } from '@opencashier/contract/api';
import { reduceLatePayout } from '@opencashier/core/payout/reduce-late-payout';
import type { LateDecision } from '@opencashier/core/payout/report';
import type { PaymentsCore } from '../lifecycle/payments-core.ts';
import { ReviewError, recordDecision } from '../lifecycle/review-decision.ts';
import { findPayout } from './payout-store.ts';
import { runPayoutEffects } from './run-payout-effects.ts';
import { withdrawalView } from './withdrawal-row.ts';
import { lockWithdrawal } from './withdrawal-store.ts';

/**
 * Ends the review. `charge` takes the amount from the account that it would have left, the rest as a debt that freezes the user's
 * accounts; `bear` leaves the user both, at the operator's cost.
 * @param staff who decided; kept in the journal's note
 * @throws ReviewError where there is nothing to decide
 */
export async function settleLatePayout(
  core: Pick<PaymentsCore, 'database' | 'onChange'>,
  withdrawalId: string,
  decision: LateDecision,
  staff: string,
): Promise<WithdrawalTransaction> {
  const after = await core.database.transaction(async (transaction) => {
    const row = await lockWithdrawal(transaction, withdrawalId);
    const effects = reduceLatePayout(row.state, decision);
    if (effects === undefined) throw new ReviewError('There is nothing to decide about this withdrawal');
    const review = { type: 'withdrawal', id: row.id, nth: 1 } as const;
    await recordDecision(transaction, row.operatorId, review, decision, staff);
    const payout = await findPayout(transaction, row.id);
    return runPayoutEffects({ transaction, row, payout, source: { cause: `staff:${staff}`, staff } }, effects);
  });
  core.onChange();
  return withdrawalView(after);
}
