/** Steps of bank messages that staff have dismissed by mistake: brought back, they are set aside again at their old place. */
import { canBringBack, type Standing } from '@opencashier/core/payout/bring-back';
import type { Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import type { Actor } from '../operators/setting-history.ts';
import type { TransferStep } from './judge-facts.ts';
import { haveStepsLeft } from './message-steps.ts';
import type { PayoutFilePorts } from './payout-file-ports.ts';
import { lockStanding } from './set-aside-steps.ts';

export interface BroughtBack extends Actor {
  /** The message of the step. */
  readonly messageId: string;
  /** The place of the step among the steps of its message. */
  readonly step: number;
  /** Why. */
  readonly note: string;
}

/**
 * Sets a dismissed step aside again. Staff then end it in the order of its place. The dismissal is kept.
 * @returns how many steps of the transfer are set aside now
 * @throws DomainError not-found where this step is not dismissed. state-conflict while a message about the transfer is being read. Also when
 * the step makes no sense any more, since the transfer was moved: the error names the message, the person or the cashier that moved it last
 */
export async function bringBack(
  { database }: PayoutFilePorts,
  operatorId: string,
  withdrawalId: string,
  { messageId, step: n, note, by, keyId }: BroughtBack,
): Promise<number> {
  return database.transaction(async (transaction) => {
    const now = await lockStanding(transaction, operatorId, withdrawalId);
    const [step] = await transaction.query<DismissedStep>({
      text: `select state as "to", place, stood_state as state, stood_reason as reason, stood_file_id as "fileId", stood_files as files,
          exists (select 1 from bank_step_set_aside paid where paid.operator_id = $1 and paid.message_id = $2 and paid.n < $3
            and paid.withdrawal_id = $4 and paid.state = 'paid' and paid.outcome = 'dismissed') as "isPaymentDismissed"
        from bank_step_set_aside
        where operator_id = $1 and message_id = $2 and n = $3 and withdrawal_id = $4 and outcome = 'dismissed' for update`,
      values: [operatorId, messageId, n, withdrawalId],
    });
    if (now === undefined || step === undefined)
      throw new DomainError('not-found', 'This step of the transfer is not dismissed.');
    if (await haveStepsLeft(transaction, operatorId, [withdrawalId])) {
      const message = 'A bank message about this transfer is being read. Bring the step back afterwards.';
      throw new DomainError('state-conflict', message, { params: { state: now.state } });
    }
    await refuseBeforePayment(transaction, operatorId, withdrawalId, step);
    if (!canBringBack(step.to, step, now, step.isPaymentDismissed))
      throw await movedSince(transaction, operatorId, withdrawalId, step.to);
    await transaction.query({
      text: `insert into bank_step_brought_back
          (operator_id, message_id, n, dismissed_by, dismissed_key, dismissed_note, dismissed_at, by, key_id, note)
        select operator_id, message_id, n, ended_by, ended_key, note, ended_at, $4, $5, $6
        from bank_step_set_aside where operator_id = $1 and message_id = $2 and n = $3`,
      values: [operatorId, messageId, n, by, keyId ?? null, note],
    });
    await transaction.query({
      text: `update bank_step_set_aside set outcome = null, ended_by = null, ended_key = null, note = null, ended_at = null,
          stood_state = null, stood_reason = null, stood_file_id = null, stood_files = null
        where operator_id = $1 and message_id = $2 and n = $3`,
      values: [operatorId, messageId, n],
    });
    const open = await transaction.query({
      text: 'select 1 from bank_step_set_aside where operator_id = $1 and withdrawal_id = $2 and ended_at is null',
      values: [operatorId, withdrawalId],
    });
    return open.length;
  });
}

interface DismissedStep extends Standing {
  readonly to: TransferStep['to'];
  readonly place: bigint;
  readonly isPaymentDismissed: boolean;
}

/** A rejection must not give an amount back of which a later step, which waits for staff too, says that the bank has paid it. */
async function refuseBeforePayment(
  transaction: Transaction,
  operatorId: string,
  withdrawalId: string,
  { to, place }: DismissedStep,
): Promise<void> {
  if (to === 'paid' || to === 'returned') return;
  const [later] = await transaction.query<{ messageId: string }>({
    text: `select message_id as "messageId" from bank_step_set_aside where operator_id = $1 and withdrawal_id = $2 and ended_at is null
        and place > $3 and state in ('paid', 'returned') limit 1`,
    values: [operatorId, withdrawalId, place],
  });
  if (later === undefined) return;
  const message = `A later step of this transfer, of the bank message ${later.messageId}, says that the bank has paid it.`;
  throw new DomainError('state-conflict', message, { params: { messageId: later.messageId } });
}

interface LastMove {
  readonly state: Standing['state'];
  readonly messageId: string | null;
  readonly messageName: string | null;
  /** Null: nobody has decided, or a file had the transfer after the decision. */
  readonly decidedBy: string | null;
}

/** The refusal, which says what moved the transfer. */
async function movedSince(
  transaction: Transaction,
  operatorId: string,
  withdrawalId: string,
  to: TransferStep['to'],
): Promise<DomainError> {
  const [move] = await transaction.query<LastMove>({
    text: `select transfer.state, message_id as "messageId",
        case when decided_files = (select count(*) from payout_file_line line where line.operator_id = $1 and line.withdrawal_id = $2)
          then decided_by end as "decidedBy",
        (select name from bank_message message where message.operator_id = $1 and message.id = transfer.message_id) as "messageName"
      from payout_transfer transfer where transfer.operator_id = $1 and transfer.withdrawal_id = $2`,
    values: [operatorId, withdrawalId],
  });
  if (move === undefined) throw new Error('The transfer of a step is gone');
  const { state, messageId, messageName, decidedBy } = move;
  const mover =
    messageId !== null
      ? `a step of the bank message ${messageId} (${messageName})`
      : decidedBy !== null
        ? `a decision of ${decidedBy}`
        : 'the cashier';
  const message = `After the dismissal ${mover} moved the transfer. It is "${state}" now, so it cannot become "${to}" by a step from before.`;
  return new DomainError('state-conflict', message, {
    params: {
      state,
      ...(messageId !== null && { messageId }),
      ...(messageId === null && decidedBy !== null && { decidedBy }),
    },
  });
}
