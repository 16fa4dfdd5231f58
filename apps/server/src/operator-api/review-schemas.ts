/** Money in suspense as operators' backends see it and decide about it: `/operator/v1/reviews`, also for its reference page. */
import { currencySchema, decimalStringSchema, instantSchema } from '@opencashier/contract/api';
import * as v from 'valibot';
import { momentAndId, pagedList } from '../requests/page-cursor.ts';

/** Who of the operator's people it was, as the operator names them; kept with what was decided. */
export const staffSchema = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,64}$/, 'printable characters without spaces'));

const decisions = ['credit', 'refund', 'charge', 'bear'] as const;

export const resolveRequestSchema = v.strictObject({
  /** One of the review's `decisions`. */
  decision: v.picklist(decisions),
  staff: staffSchema,
});

export const reviewList = pagedList('reviews', momentAndId);

/** The query of `GET /operator/v1/reviews`. */
export const reviewQuerySchema = v.strictObject(reviewList.entries);
export type ReviewQuery = v.InferOutput<typeof reviewQuerySchema>;

const reviewSchema = v.object({
  reviewId: v.string(),
  type: v.picklist(['deposit', 'withdrawal']),
  /** The `depositId` or `withdrawalId`. */
  id: v.string(),
  userId: v.string(),
  paymentMethod: v.string(),
  /** Of a deposit: late, underpaid, below-minimum, above-maximum, overpaid, wrong-currency, second-payment, unassigned or returned; of a withdrawal: late. */
  reason: v.string(),
  /** What was asked for. */
  amount: decimalStringSchema,
  currency: currencySchema,
  /** What lies in suspense: of a deposit what came, of a withdrawal what the provider paid out. */
  suspense: v.array(v.object({ currency: currencySchema, amount: decimalStringSchema })),
  since: instantSchema,
  /** What can be decided. */
  decisions: v.array(v.picklist(decisions)),
});
export type Review = v.InferOutput<typeof reviewSchema>;

export const reviewPageSchema = v.object({
  /** Who waits longest comes first. */
  reviews: v.array(reviewSchema),
  /** Give it as `cursor` for what is newer; absent on the last page. */
  nextCursor: v.optional(v.string()),
});
export type ReviewPage = v.InferOutput<typeof reviewPageSchema>;

export const resolvedReviewSchema = v.object({
  reviewId: v.string(),
  decision: v.picklist(decisions),
  /** Who decided, also where a repeat names somebody else. */
  staff: v.string(),
  decided: instantSchema,
});
export type ResolvedReview = v.InferOutput<typeof resolvedReviewSchema>;
