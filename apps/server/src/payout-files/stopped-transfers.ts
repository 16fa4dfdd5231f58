/** What staff decide about transfers that a bank did not execute for a reason that is not the payee's. */
import { isDuplicateReason } from '@opencashier/core/sepa/bank-status';
import { DomainError } from '../errors/domain-error.ts';
import type { Actor } from '../operators/setting-history.ts';
import type { TransferState } from '../providers/filed-transfer.ts';
import { applySteps } from './apply-steps.ts';
import { haveStepsLeft } from './message-steps.ts';
import type { PayoutFilePorts } from './payout-file-ports.ts';
import { lastSetAside } from './set-aside-steps.ts';

export interface TransferDecision extends Actor {
  /** `send-again`: the transfer leaves in another file. `decline`: the user gets the amount back. */
  readonly decision: 'send-again' | 'decline';
}

interface StoppedTransfer {
  readonly state: TransferState;
  readonly reason: string | null;
}

/**
 * Ends the stop of a transfer.
 * @returns its state afterwards
 * @throws DomainError not-found; state-conflict when it is not stopped, when the bank may have paid it, or while what the bank says of it
 * waits to be applied
 */
export async function decideTransfer(
  { database }: PayoutFilePorts,
  operatorId: string,
  withdrawalId: string,
  { decision, by, keyId }: TransferDecision,
): Promise<TransferState> {
  return database.transaction(async (transaction) => {
    const [transfer] = await transaction.query<StoppedTransfer>({
      text: 'select state, reason from payout_transfer where operator_id = $1 and withdrawal_id = $2 for update',
      values: [operatorId, withdrawalId],
    });
    if (transfer === undefined) throw new DomainError('not-found', 'There is no such transfer.');
    const { state, reason } = transfer;
    if (state !== 'stopped')
      throw new DomainError('state-conflict', 'The transfer is not stopped.', { params: { state } });
    if (isDuplicateReason(reason)) {
      const message = 'The bank has seen this payment before. Import the statement that shows whether it was paid.';
      throw new DomainError('state-conflict', message, { params: { state } });
    }
    const ids = [withdrawalId];
    if (
      (await haveStepsLeft(transaction, operatorId, ids)) ||
      (await lastSetAside(transaction, operatorId, ids)).size > 0
    ) {
      const message =
        'A bank message about this transfer is being read, or a step of it is set aside. Decide afterwards.';
      throw new DomainError('state-conflict', message, { params: { state } });
    }
    await transaction.query({
      text: `update payout_transfer transfer set decided_by = $3, decided_key = $4, decided_files = (select count(*) from payout_file_line line
          where line.operator_id = $1 and line.withdrawal_id = $2)
        where transfer.operator_id = $1 and transfer.withdrawal_id = $2`,
      values: [operatorId, withdrawalId, by, keyId ?? null],
    });
    if (decision === 'decline') {
      await applySteps(transaction, operatorId, [{ withdrawalId, to: 'declined' }]);
      return 'declined';
    }
    await transaction.query({
      text: `update payout_transfer set state = 'queued', file_id = null, message_id = null, due_at = now() where operator_id = $1 and withdrawal_id = $2`,
      values: [operatorId, withdrawalId],
    });
    return 'queued';
  });
}
