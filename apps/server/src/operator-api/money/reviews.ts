/** Reviews of money in suspense, and the decisions of staff about them (SRV-1, SRV-3). */
import type { PageQuery, ResolvedReview, Review, ReviewPage } from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { ReviewReason } from '@opencashier/core/payment/aggregate';
import type { Queryable } from '../../database/database.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { PaymentsEngine } from '../../payment-service/payments-engine.ts';
import { momentAndId, pagedList } from '../../requests/page-cursor.ts';
import {
  findDecision,
  type KnownDecision,
  parseReviewId,
  type ReviewDecision,
  ReviewError,
  type ReviewName,
  reviewIdOf,
} from '../../reviews/review-decision.ts';

const reviewList = pagedList('reviews', momentAndId);

interface ReviewRow {
  type: 'deposit' | 'withdrawal';
  id: string;
  nth: number;
  user_id: string;
  payment_method: string;
  review: ReviewReason;
  amount: bigint;
  currency: string;
  is_creditable: boolean;
  since: Date;
  since_text: string;
  /** Amounts in suspense as currency and minor units, such as `USD:2500`. */
  suspended: string[];
}

/**
 * Open reviews of an operator, the oldest first.
 * @param cursor from the page before; `undefined`: the first page
 */
export async function reviewPage(
  database: Queryable,
  operatorId: string,
  { limit, cursor }: PageQuery,
): Promise<ReviewPage> {
  const after = reviewList.placeOf(cursor);
  const rows = await database.query<ReviewRow>({
    // Without a name, so that it is planned for this cursor: see transaction-page.
    text: `select item.*, since::text as since_text, array(
        select account.asset || ':' || abs(sum(posting.amount)) from journal
        cross join lateral (select * from posting where operator_id = $1 and journal_id = journal.id offset 0) posting
        cross join lateral (select * from account where operator_id = $1 and id = posting.account_id offset 0) account
        -- Between the payment's first and last change, so that no other month of the ledger is opened. One day more on both sides,
        -- because the clock of another database server may differ.
        where account.kind = 'suspense' and journal.operator_id = $1 and ((item.type = 'deposit' and journal.deposit_id = item.id and journal.payment_id = item.payment_id)
            or (item.type = 'withdrawal' and journal.withdrawal_id = item.id))
          and journal.id >= time_id_at(item.began - interval '1 day') and journal.id < time_id_at(item.changed + interval '1 day')
        group by account.asset having sum(posting.amount) <> 0 order by account.asset) as suspended
      from (
        -- The page of each kind first. Joined before that, the open reviews of all operators would be read.
        (select 'deposit' as type, deposit.id, payment.review as nth, user_id, payment_method, payment.reason as review,
          deposit.amount, deposit.currency,
          payment.reason not in ('second-payment', 'wrong-currency', 'unassigned') and user_id <> ''
            and (box is null or (payment.amount >= deposit.amount and payment.reason <> 'returned')) as is_creditable,
          deposit.review_since as since, payment.id as payment_id, payment.created_at as began, payment.updated_at as changed
        from (
          select id, user_id, payment_method, amount, currency, box, review_since from deposit
          where operator_id = $1 and review is not null
            and ($2::timestamptz is null or (review_since, id) > ($2::timestamptz, $3::uuid))
          order by review_since, id limit $4) deposit
        cross join lateral (select * from payment where operator_id = $1 and deposit_id = deposit.id and state = 'in_review'
          and review is not null offset 0) payment)
        union all
        (select 'withdrawal', withdrawal.id, 1, user_id, payment_method, 'late', amount, currency, false, late.at, null, created_at, updated_at
        from withdrawal join withdrawal_history late on late.operator_id = withdrawal.operator_id
          and late.withdrawal_id = withdrawal.id and late.to_state = 'late_paid'
        where withdrawal.operator_id = $1 and state = 'late_paid'
          and ($2::timestamptz is null or (late.at, withdrawal.id) > ($2::timestamptz, $3::uuid))
        order by late.at, withdrawal.id limit $4)
      ) item
      order by since, id limit $4`,
    values: [operatorId, after?.at ?? null, after?.id ?? null, limit + 1],
  });
  const { page, next } = reviewList.pageOf(rows, limit, (row) => ({ at: row.since_text, id: row.id }));
  return {
    reviews: page.map(reviewOf),
    ...next,
  };
}

function reviewOf(row: ReviewRow): Review {
  const write = (minor: bigint, currency: string): string => toDecimalString(minor, decimalsOf(currency));
  return {
    reviewId: reviewIdOf(row),
    type: row.type,
    id: row.id,
    userId: row.user_id,
    paymentMethod: row.payment_method,
    reason: row.review,
    amount: write(row.amount, row.currency),
    currency: row.currency,
    suspense: row.suspended.map((one) => {
      const [currency = '', minor = ''] = one.split(':');
      return { currency, amount: write(BigInt(minor), currency) };
    }),
    since: row.since.toISOString(),
    decisions: decisionsOf(row),
  };
}

function decisionsOf({ type, is_creditable, currency, suspended }: ReviewRow): ReviewDecision[] {
  if (type === 'withdrawal') return ['charge', 'bear'];
  const isOfDeposit = suspended.every((one) => one.startsWith(`${currency}:`));
  return is_creditable && isOfDeposit ? ['credit', 'refund'] : ['refund'];
}

/**
 * Carries out the decision of staff, once per review. A repeat of the same decision gets the first answer.
 * @throws DomainError not-found, invalid-request for a decision of the other kind of payment, state-conflict if staff have decided
 *   differently or the money cannot go there
 */
export async function resolveReviewOnce(
  database: Queryable,
  payments: Pick<PaymentsEngine, 'resolveReview' | 'settleLatePayout'>,
  operatorId: string,
  reviewId: string,
  {
    decision,
    staff,
    keyId,
  }: { readonly decision: ReviewDecision; readonly staff: string; readonly keyId?: string | undefined },
): Promise<ResolvedReview> {
  const review = parseReviewId(reviewId);
  if (review === undefined || !(await isOfOperator(database, operatorId, review))) {
    throw new DomainError('not-found', 'Review not found.');
  }
  const known = await findDecision(database, operatorId, review);
  if (known === undefined) {
    try {
      await carryOut(payments, operatorId, { ...review, keyId }, decision, staff);
    } catch (error) {
      if (!(error instanceof ReviewError)) throw error;
      // Somebody else may have decided at the same time.
      const other = await findDecision(database, operatorId, review);
      if (other === undefined) throw new DomainError('state-conflict', error.message, {}, { cause: error });
      return answerOf(reviewId, other, decision);
    }
  }
  const made = known ?? (await findDecision(database, operatorId, review));
  if (made === undefined) throw new Error(`The decision about ${reviewId} was made but not found`);
  return answerOf(reviewId, made, decision);
}

function answerOf(reviewId: string, made: KnownDecision, wanted: ReviewDecision): ResolvedReview {
  if (made.decision !== wanted) {
    throw new DomainError('state-conflict', 'This review already has a different decision.', {
      params: { decision: made.decision },
    });
  }
  return { reviewId, decision: made.decision, staff: made.staff, decided: made.at.toISOString() };
}

async function carryOut(
  payments: Pick<PaymentsEngine, 'resolveReview' | 'settleLatePayout'>,
  operatorId: string,
  { type, id, nth, keyId }: ReviewName & { readonly keyId: string | undefined },
  decision: ReviewDecision,
  staff: string,
): Promise<void> {
  if (type === 'deposit' && (decision === 'credit' || decision === 'refund')) {
    await payments.resolveReview({ operatorId, id, nth, keyId }, decision, staff);
  } else if (type === 'withdrawal' && (decision === 'charge' || decision === 'bear')) {
    await payments.settleLatePayout({ operatorId, id, keyId }, decision, staff);
  } else {
    const fields = [{ path: 'decision', message: 'This decision does not apply to this kind of payment.' }];
    throw new DomainError('invalid-request', 'This review does not allow this decision.', { fields });
  }
}

/** Whether the operator has, or had, this review. */
async function isOfOperator(database: Queryable, operatorId: string, { type, id, nth }: ReviewName): Promise<boolean> {
  const found = await database.query({
    name: 'operator_review_known',
    text: `select 1 from deposit where $2 = 'deposit' and operator_id = $1 and id = $3 and reviews >= $4
      union all select 1 from withdrawal where $2 = 'withdrawal' and operator_id = $1 and id = $3 and $4 = 1
        and state in ('late_paid', 'late_settled', 'late_returned')`,
    values: [operatorId, type, id, nth],
  });
  return found.length > 0;
}
