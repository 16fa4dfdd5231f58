/** Money in suspense that staff decide about (SRV-1). */
import * as v from 'valibot';
import { currencySchema, decimalStringSchema, instantSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import {
  moneySchema,
  paymentTypeSchema,
  shownMethodSchema,
  shownStaffSchema,
  shownUserSchema,
  staffSchema,
} from './fields.ts';
import { pageQuery, pageSchema } from './paging.ts';
import { reviewReasons } from './states.ts';

/** The decision: `credit` or `refund` a deposit; `charge` the user for a late payout, or `bear` its amount. */
const decisionSchema = v.picklist(['credit', 'refund', 'charge', 'bear']);

/** Names the payment that waits and its place among the reviews. Send it with your decision. @example "deposit-9f0c2b1e-5d1c-4c55-9b6b-3d5a0a6b7f01-1" */
const reviewIdSchema = v.string();

const reviewSchema = v.object({
  reviewId: reviewIdSchema,
  type: paymentTypeSchema,
  /** The `depositId` or `withdrawalId`. @example "9f0c2b1e-5d1c-4c55-9b6b-3d5a0a6b7f01" */
  id: v.string(),
  userId: shownUserSchema,
  paymentMethod: shownMethodSchema,
  /** Why staff must decide. A withdrawal has only `late`. @example "underpaid" */
  reason: v.picklist(reviewReasons),
  /** The amount that the user requested. */
  amount: decimalStringSchema,
  /** The currency of `amount`. */
  currency: currencySchema,
  /** The amounts in suspense: what arrived for a deposit, or what the provider paid out for a withdrawal. */
  suspense: v.array(moneySchema),
  /** The review has been open since then. */
  since: instantSchema,
  /** The decisions that are possible. */
  decisions: v.array(decisionSchema),
});
export type Review = v.InferOutput<typeof reviewSchema>;

export const reviewPageSchema = pageSchema({
  /** The open reviews. The one that has waited longest comes first. */
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
  reviewId: reviewIdSchema,
  decision: decisionSchema,
  /** Who decided first, even if a repeat names somebody else. */
  staff: shownStaffSchema,
  /** When the decision was made. */
  decided: instantSchema,
});
export type ResolvedReview = v.InferOutput<typeof resolvedReviewSchema>;

export const resolveReview = defineEndpoint({
  id: 'resolve-review',
  method: 'POST',
  path: '/reviews/{reviewId}/resolve',
  summary: 'Carries out the decision of staff, once. A repeat of the same decision gets the first answer.',
  params: v.object({ reviewId: reviewIdSchema }),
  body: resolveRequestSchema,
  response: resolvedReviewSchema,
  errors: {
    404: '`not-found`: no such review of this operator.',
    409: '`state-conflict`: staff have already decided differently (`params.decision`), or the money cannot go there.',
  },
});
