/** A refund as operators' backends ask for it: `/operator/v1/transactions/{depositId}/refund`, also for its reference page. */
import { currencySchema, decimalStringSchema, instantSchema, paymentIdSchema } from '@opencashier/contract/api';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import * as v from 'valibot';
import type { RefundRow } from '../payments/refund-store.ts';
import { staffSchema } from './review-schemas.ts';

export const refundRequestSchema = v.strictObject({
  /** The operator's key of this refund: a repeat asks for nothing more and answers how it stands. */
  refundId: paymentIdSchema,
  staff: staffSchema,
  /** For the operator's own books; nobody else sees it. */
  reason: v.optional(v.pipe(v.string(), v.maxLength(200), v.regex(/^[^\p{Cc}]*$/u, 'no control characters'))),
});

const refundStates = ['pending', 'declined', 'refunded'] as const;

export const refundResponseSchema = v.object({
  refundId: paymentIdSchema,
  depositId: paymentIdSchema,
  /** pending: the amount is held, and the provider is asked until it says what became of it. */
  state: v.picklist(refundStates),
  /** All that was credited. */
  amount: decimalStringSchema,
  currency: currencySchema,
  staff: v.string(),
  created: instantSchema,
});

/** Money that came back after a refund is a review of its own: the refund stays what it was. */
const STATES: Readonly<Record<RefundRow['state'], (typeof refundStates)[number]>> = {
  requested: 'pending',
  accepted: 'pending',
  declined: 'declined',
  succeeded: 'refunded',
  bounced: 'refunded',
};

export function refundView(row: RefundRow): v.InferOutput<typeof refundResponseSchema> {
  return {
    refundId: row.refundId,
    depositId: row.depositId,
    state: STATES[row.state],
    amount: toDecimalString(row.amount, decimalsOf(row.currency)),
    currency: row.currency,
    staff: row.staff,
    created: row.createdAt.toISOString(),
  };
}
