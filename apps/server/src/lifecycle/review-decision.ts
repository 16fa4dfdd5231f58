/** Who decided what about money in suspense; written in the transaction that carries it out. */
import type { Queryable, Transaction } from '../database/database.ts';

/** The deposit or withdrawal is not under review, or its money cannot go where it was decided to. */
export class ReviewError extends Error {
  override readonly name = 'ReviewError';
}

export type ReviewDecision = 'credit' | 'refund' | 'charge' | 'bear';

/** One of the reviews of a payment: a deposit can come under review again. */
export interface ReviewName {
  readonly type: 'deposit' | 'withdrawal';
  /** Our own id. */
  readonly id: string;
  /** Counted from 1. */
  readonly nth: number;
}

export interface KnownDecision {
  readonly decision: ReviewDecision;
  readonly staff: string;
  readonly at: Date;
}

export function reviewIdOf({ type, id, nth }: ReviewName): string {
  return `${type}-${id}-${nth}`;
}

const REVIEW_ID = /^(deposit|withdrawal)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-([1-9]\d{0,5})$/;

/** `undefined` for what {@link reviewIdOf} never wrote. */
export function parseReviewId(text: string): ReviewName | undefined {
  const [, type, id, nth] = REVIEW_ID.exec(text) ?? [];
  if ((type !== 'deposit' && type !== 'withdrawal') || id === undefined) return undefined;
  return { type, id, nth: Number(nth) };
}

/** Under the lock of the payment. */
export async function recordDecision(
  transaction: Transaction,
  operatorId: string,
  review: ReviewName,
  decision: ReviewDecision,
  staff: string,
): Promise<void> {
  await transaction.query({
    name: 'review-decided',
    text: 'insert into review_decision (operator_id, review_id, decision, staff) values ($1, $2, $3, $4)',
    values: [operatorId, reviewIdOf(review), decision, staff],
  });
}

export async function findDecision(
  queryable: Queryable,
  operatorId: string,
  review: ReviewName,
): Promise<KnownDecision | undefined> {
  const [known] = await queryable.query<KnownDecision>({
    name: 'review-decision',
    text: 'select decision, staff, at from review_decision where operator_id = $1 and review_id = $2',
    values: [operatorId, reviewIdOf(review)],
  });
  return known;
}
