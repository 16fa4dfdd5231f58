/** Decisions of staff about money in suspense. A decision is stored in the transaction that carries it out. */
import type { Queryable, Transaction } from '../database/database.ts';

/** The deposit or withdrawal is not under review, or the decision is not possible. */
export class ReviewError extends Error {
  override readonly name = 'ReviewError';
}

/** A decision about a deposit (`credit`, `refund`) or about a late payout (`charge`, `bear`). */
export type ReviewDecision = 'credit' | 'refund' | 'charge' | 'bear';

/** Names one review. A deposit can be under review several times. */
export interface ReviewName {
  readonly type: 'deposit' | 'withdrawal';
  /** Our id of the deposit or withdrawal. */
  readonly id: string;
  /** Counted from 1. */
  readonly nth: number;
}

/** A stored decision. */
export interface KnownDecision {
  readonly decision: ReviewDecision;
  readonly staff: string;
  readonly at: Date;
}

/** The id of a review in the operator API, such as `deposit-<uuid>-1`. */
export function reviewIdOf({ type, id, nth }: ReviewName): string {
  return `${type}-${id}-${nth}`;
}

const REVIEW_ID = /^(deposit|withdrawal)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-([1-9]\d{0,5})$/;

/** Parses the id of a review; undefined for a text that is no such id. */
export function parseReviewId(text: string): ReviewName | undefined {
  const [, type, id, nth] = REVIEW_ID.exec(text) ?? [];
  if ((type !== 'deposit' && type !== 'withdrawal') || id === undefined) return undefined;
  return { type, id, nth: Number(nth) };
}

/** Stores a decision. The caller holds the lock of the deposit or withdrawal. */
export async function recordDecision(
  transaction: Transaction,
  operatorId: string,
  review: ReviewName,
  decision: ReviewDecision,
  staff: string,
  keyId?: string,
): Promise<void> {
  await transaction.query({
    name: 'review-decided',
    text: 'insert into review_decision (operator_id, review_id, decision, staff, key_id) values ($1, $2, $3, $4, $5)',
    values: [operatorId, reviewIdOf(review), decision, staff, keyId ?? null],
  });
}

/** The stored decision of a review; undefined: not decided. */
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
