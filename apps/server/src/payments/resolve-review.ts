/** People decide about money in suspense: to the user, as much as was really paid, or back to where it came from. */
import type { DepositState } from '@opencashier/core/deposit/deposit-lifecycle';
import { postJournal } from '../ledger/ledger.ts';
import { suspendedLines } from './apply.ts';
import type { DepositRow } from './deposit-row.ts';
import { lockDeposit, moveDeposit } from './deposit-store.ts';
import type { PaymentsCore } from './payments-core.ts';

/** The deposit is not under review, or its money is not in its own currency and cannot be credited to it. */
export class ReviewError extends Error {
  override readonly name = 'ReviewError';
}

/**
 * Ends a review. `credit` moves what was really paid from suspense to the user, `refund` back to the provider's account.
 * @param staff who decided; kept in the journal's note
 * @throws ReviewError
 */
export async function resolveReview(
  core: PaymentsCore,
  depositId: string,
  decision: 'credit' | 'refund',
  staff: string,
): Promise<DepositRow> {
  const after = await core.database.transaction(async (transaction) => {
    const row = await lockDeposit(transaction, depositId);
    if (row === undefined || row.review === null || row.paid === null || row.credited !== null) {
      throw new ReviewError('There is nothing to decide about this deposit');
    }
    if (decision === 'credit' && row.review === 'wrong-currency') {
      throw new ReviewError('The money is of another currency than the deposit; refund it');
    }
    const back = await suspendedLines(transaction, row);
    const lines = back.map((line) =>
      decision === 'credit' && line.kind === 'provider_clearing'
        ? { ...line, owner: row.userId, kind: 'user' as const }
        : line,
    );
    const result = await postJournal(transaction, {
      operatorId: row.operatorId,
      kind: decision === 'credit' ? 'deposit_credit' : 'suspense_out',
      depositId: row.id,
      source: row.provider,
      ref: row.providerRef ?? row.id,
      note: `decided by ${staff}`,
      lines,
    });
    if (result === 'duplicate') throw new ReviewError('This has been decided before');
    return moveDeposit(transaction, row, {
      to: decision === 'credit' ? 'credited' : refundedState(row.state),
      cause: `staff:${staff}`,
      review: null,
      ...(decision === 'credit' ? { credited: row.paid } : { reason: 'transaction.reason.refunded' }),
    });
  });
  core.onChange();
  return after;
}

/** The lifecycle refunds what came late; money that came in time but wrong leaves a declined deposit. */
function refundedState(state: DepositState): DepositState {
  return state === 'late_paid' ? 'refunded' : 'declined';
}
