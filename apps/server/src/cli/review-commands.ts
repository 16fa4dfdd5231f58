/** Commands by which staff decide about payments in review (SRV-1). */
import { pageQuery, type Review, resolveRequestSchema } from '@opencashier/contract/operator';
import type { Database } from '../database/database.ts';
import { transactionView } from '../deposits/deposit-row.ts';
import { resolveReviewOnce, reviewPage } from '../operator-api/money/reviews.ts';
import { resolveReview } from '../payments/resolve-review.ts';
import { settleLatePayout } from '../withdrawals/settle-late-payout.ts';
import type { AddCommands } from './command.ts';
import { addOperatorList, operatorArgument, operatorIdOf, type Row, readOptions } from './listing.ts';

export const addReviewCommands: AddCommands = (program, session) => {
  const reviews = program.command('reviews').description('payments in suspense that wait for a decision');
  addOperatorList(reviews.command('list').description('lists reviews, the oldest first'), session, {
    query: pageQuery,
    page: reviewPage,
    itemsOf: (page) => page.reviews,
    rowOf: reviewRow,
  });
  reviews
    .command('resolve')
    .description('carries out the decision of staff about one review')
    .argument(...operatorArgument)
    .argument('<review>', 'id of the review, from `reviews list`')
    .argument('<decision>', 'one of the decisions of this review')
    .requiredOption('--by <name>', 'who decides')
    .action((partnerKey, reviewId, decision, { by: staff }) => {
      const request = readOptions(resolveRequestSchema, { decision, staff });
      return session.withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const made = await resolveReviewOnce(database, deciderOf(database), operatorId, reviewId, request);
        session.output.out(`${made.reviewId}: ${made.decision}, by ${made.staff} at ${made.decided}.`);
        return 0;
      });
    });
};

function reviewRow(review: Review): Row {
  return {
    review: review.reviewId,
    user: review.userId,
    reason: review.reason,
    requested: `${review.amount} ${review.currency}`,
    suspense: review.suspense.map(({ amount, currency }) => `${amount} ${currency}`).join(', '),
    method: review.paymentMethod,
    since: review.since,
    decisions: review.decisions.join(' '),
  };
}

/** This program only writes the rows of pushes and webhooks. The running cashier sends them. */
function deciderOf(database: Database): Parameters<typeof resolveReviewOnce>[1] {
  const here = { database, onChange: () => undefined };
  return {
    resolveReview: async (reviewed, decision, staff) =>
      transactionView(await resolveReview(here, reviewed, decision, staff)),
    settleLatePayout: (withdrawal, decision, staff) => settleLatePayout(here, withdrawal, decision, staff),
  };
}
