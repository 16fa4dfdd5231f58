/** A refund as the operator's backend sees it (SRV-1). */
import type { RefundView } from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { RefundAnswer, RefundRow } from '../../payments/refund-store.ts';

/** Money of a refund that came back is a separate review, so the state of the refund does not change. */
const STATES: Readonly<Record<RefundRow['state'], RefundView['state']>> = {
  requested: 'pending',
  accepted: 'pending',
  declined: 'declined',
  succeeded: 'refunded',
  bounced: 'refunded',
};

export function refundView(row: RefundAnswer): RefundView {
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
