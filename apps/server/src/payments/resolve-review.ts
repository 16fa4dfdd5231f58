/** Decisions of staff about money in suspense: credit the paid amount to the user, or send it back. */
import { type ReviewRefusal, reduceReview } from '@opencashier/core/payment/reduce-review';
import { constraintOf } from '../database/pool-database.ts';
import type { DepositRow } from '../deposits/deposit-row.ts';
import { lockDeposit } from '../deposits/deposit-store.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { depositEvents } from '../provider-events/deposit-events.ts';
import { ReviewError, recordDecision, reviewIdOf } from '../reviews/review-decision.ts';
import { loadAggregate } from './payment-store.ts';
import { runEffects } from './run-effects.ts';

/** The ports of a decision. The command line has only these. */
type ReviewCore = Pick<PaymentsCore, 'database' | 'onChange' | 'failpoint'>;

/** A deposit in review. `nth`: the number of the review; absent: the open review. */
export interface ReviewedDeposit extends Pick<DepositRow, 'operatorId' | 'id'> {
  readonly nth?: number;
  /** The API key that sent the decision. Absent: the command line. */
  readonly keyId?: string | undefined;
}

const REFUSALS: Readonly<Record<ReviewRefusal, string>> = {
  'nothing-to-decide': 'This deposit has no open review',
  'names-no-user': 'The payment names no user. Refund it, or write it off and transfer the amount to the right user',
  'other-currency': 'The payment has another currency than the deposit. Refund the payment',
  'box-below-price': 'The payment is less than the price of the coin box. Refund the payment',
  'box-sold-before': 'The coin box was already sold. Refund the payment',
  'credited-once': 'A deposit is credited once; refund the second payment',
};

/**
 * Ends a review (SRV-3). `credit` moves the paid amount from suspense to the user, `refund` back to the provider's
 * account.
 * @param staff who decided; stored in the journal's note
 * @throws ReviewError if there is no such review, or the decision is not possible
 */
export async function resolveReview(
  core: ReviewCore,
  reviewed: ReviewedDeposit,
  decision: 'credit' | 'refund',
  staff: string,
): Promise<DepositRow> {
  const after = await decideInTransaction(core, reviewed, decision, staff);
  core.failpoint?.('review-decided');
  core.onChange();
  return after;
}

async function decideInTransaction(
  core: ReviewCore,
  reviewed: ReviewedDeposit,
  decision: 'credit' | 'refund',
  staff: string,
): Promise<DepositRow> {
  try {
    return await core.database.transaction(async (transaction) => {
      const row = await lockDeposit(transaction, reviewed);
      if (row === undefined || (reviewed.nth !== undefined && reviewed.nth !== row.reviews)) {
        throw new ReviewError(REFUSALS['nothing-to-decide']);
      }
      const aggregate = await loadAggregate(transaction, row);
      const verdict = reduceReview(aggregate, decision);
      if (verdict.kind === 'refused') throw new ReviewError(REFUSALS[verdict.why]);
      const review = { type: 'deposit', id: row.id, nth: row.reviews } as const;
      await recordDecision(transaction, row.operatorId, review, decision, staff, reviewed.keyId);
      const source = { cause: `staff:${staff}`, eventId: reviewIdOf(review), staff };
      const after = await runEffects({ transaction, row, aggregate, source }, verdict.effects);
      // A parked report may be about the decided payment.
      await depositEvents.wake(transaction, after);
      core.failpoint?.('review-uncommitted');
      return after;
    });
  } catch (error) {
    // The reservation of the box had expired, and other users bought the last boxes.
    if (constraintOf(error) !== 'box_not_oversold') throw error;
    throw new ReviewError('The coin box is now sold out. Refund the payment', { cause: error });
  }
}
