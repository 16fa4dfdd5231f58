/** Staff decide about money in suspense: to the user, as much as was really paid, or back to where it came from. */
import { type ReviewRefusal, reduceReview } from '@opencashier/core/payment/reduce-review';
import { constraintOf } from '../database/pool-database.ts';
import type { DepositRow } from '../deposits/deposit-row.ts';
import { lockDeposit } from '../deposits/deposit-store.ts';
import type { PaymentsCore } from '../lifecycle/payments-core.ts';
import { ReviewError, recordDecision, reviewIdOf } from '../lifecycle/review-decision.ts';
import { depositEvents } from '../provider-events/deposit-events.ts';
import { loadAggregate } from './payment-store.ts';
import { runEffects } from './run-effects.ts';

/** What a decision needs; at the command line there is no more. */
type ReviewCore = Pick<PaymentsCore, 'database' | 'onChange' | 'failpoint'>;

const REFUSALS: Readonly<Record<ReviewRefusal, string>> = {
  'nothing-to-decide': 'There is nothing to decide about this deposit',
  'names-no-user': 'The money names no user; refund it, or book it out and transfer as much to its user',
  'other-currency': 'The money is of another currency than the deposit; refund it',
  'box-below-price': 'A box is not to be had for less than its price; refund the payment',
  'box-sold-before': 'A box is not sold twice; refund the payment',
  'credited-once': 'A deposit is credited once; refund the second payment',
};

/**
 * Ends a review. `credit` moves what was really paid from suspense to the user, `refund` back to the provider's account.
 * @param staff who decided; kept in the journal's note
 * @param nth which of the deposit's reviews; absent: the open one
 * @throws ReviewError
 */
export async function resolveReview(
  core: ReviewCore,
  depositId: string,
  decision: 'credit' | 'refund',
  staff: string,
  nth?: number,
): Promise<DepositRow> {
  const after = await decided(core, depositId, decision, staff, nth);
  core.failpoint?.('review-decided');
  core.onChange();
  return after;
}

async function decided(
  core: ReviewCore,
  depositId: string,
  decision: 'credit' | 'refund',
  staff: string,
  nth: number | undefined,
): Promise<DepositRow> {
  try {
    return await core.database.transaction(async (transaction) => {
      const row = await lockDeposit(transaction, depositId);
      if (row === undefined || (nth !== undefined && nth !== row.reviews)) {
        throw new ReviewError(REFUSALS['nothing-to-decide']);
      }
      const aggregate = await loadAggregate(transaction, row);
      const verdict = reduceReview(aggregate, decision);
      if (verdict.kind === 'refused') throw new ReviewError(REFUSALS[verdict.why]);
      const review = { type: 'deposit', id: row.id, nth: row.reviews } as const;
      await recordDecision(transaction, row.operatorId, review, decision, staff);
      const source = { cause: `staff:${staff}`, eventId: reviewIdOf(review), staff };
      const after = await runEffects({ transaction, row, aggregate, source }, verdict.effects);
      // A report that is parked may be of what was decided.
      await depositEvents.wake(transaction, after);
      core.failpoint?.('review-uncommitted');
      return after;
    });
  } catch (error) {
    // The box went back when its time was over, and others have bought the last one since.
    if (constraintOf(error) !== 'box_not_oversold') throw error;
    throw new ReviewError('The box is sold out by now; refund the payment', { cause: error });
  }
}
