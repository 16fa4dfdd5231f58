/** Money in suspense that staff decide about (SRV-1). */
import * as v from 'valibot';
import { currencySchema, decimalStringSchema, instantSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { staffSchema } from './fields.ts';
import { pageQuery, pageSchema } from './paging.ts';

const decisionSchema = v.picklist(['credit', 'refund', 'charge', 'bear']);

const reviewSchema = v.object({
  reviewId: v.string(),
  type: v.picklist(['deposit', 'withdrawal']),
  /** The `depositId` or `withdrawalId`. */
  id: v.string(),
  userId: v.string(),
  paymentMethod: v.string(),
  /**
   * Why staff must decide. For a deposit: late, underpaid, below-minimum, above-maximum, overpaid, wrong-currency, second-payment,
   * unassigned or returned. For a withdrawal: late.
   */
  reason: v.string(),
  /** The amount that the user requested. */
  amount: decimalStringSchema,
  currency: currencySchema,
  /** The amounts in suspense: what arrived for a deposit, or what the provider paid out for a withdrawal. */
  suspense: v.array(v.object({ currency: currencySchema, amount: decimalStringSchema })),
  since: instantSchema,
  /** The decisions that are possible. */
  decisions: v.array(decisionSchema),
});
export type Review = v.InferOutput<typeof reviewSchema>;

export const reviewPageSchema = pageSchema({
  /** The review that has waited longest comes first. */
  reviews: v.array(reviewSchema),
});
export type ReviewPage = v.InferOutput<typeof reviewPageSchema>;

export const listReviews = defineEndpoint({
  id: 'list-reviews',
  method: 'GET',
  path: '/reviews',
  summary: 'Money in suspense that waits for a decision of staff. Oldest first, page by page.',
  query: pageQuery,
  response: reviewPageSchema,
});

export const resolveRequestSchema = v.strictObject({
  /** One of the review's `decisions`. */
  decision: decisionSchema,
  staff: staffSchema,
});

export const resolvedReviewSchema = v.object({
  reviewId: v.string(),
  decision: decisionSchema,
  /** Who decided first, even if a repeat names somebody else. */
  staff: v.string(),
  decided: instantSchema,
});
export type ResolvedReview = v.InferOutput<typeof resolvedReviewSchema>;

export const resolveReview = defineEndpoint({
  id: 'resolve-review',
  method: 'POST',
  path: '/reviews/{reviewId}/resolve',
  summary: 'Carries out the decision of staff, once. A repeat of the same decision gets the first answer.',
  params: v.object({ reviewId: v.string() }),
  body: resolveRequestSchema,
  response: resolvedReviewSchema,
  errors: {
    404: '`not-found`: no such review of this operator.',
    409: '`state-conflict`: staff have already decided differently (`params.decision`), or the money cannot go there.',
  },
});
