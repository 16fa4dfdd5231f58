/** Money that providers took back, as operators' backends see it: `/operator/v1/reversals` (SRV-1, SRV-2). */
import { decimalStringSchema, instantSchema, paymentIdSchema } from '@opencashier/contract/api';
import * as v from 'valibot';
import { momentAndId, pagedList } from '../requests/page-cursor.ts';

export const reversalList = pagedList('reversals', momentAndId);

/** The query of `GET /operator/v1/reversals`. */
export const reversalQuerySchema = reversalList.query;
export type ReversalQuery = v.InferOutput<typeof reversalQuerySchema>;

const reversalSchema = v.object({
  reversalId: v.string(),
  depositId: paymentIdSchema,
  userId: v.string(),
  provider: v.string(),
  /** The provider's own name of the payment, with that of the refund or dispute where it was a part. */
  reference: v.string(),
  /** A part of the payment: the deposit stays credited. */
  isPart: v.boolean(),
  amount: decimalStringSchema,
  currency: v.string(),
  /** What of it the user no longer had, and owes. */
  owed: decimalStringSchema,
  at: instantSchema,
});

/** The newest first. */
export const reversalPageSchema = reversalList.page({ reversals: v.array(reversalSchema) });
export type ReversalPage = v.InferOutput<typeof reversalPageSchema>;
