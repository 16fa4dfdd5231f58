/**
 * Steps of bank messages that the database refused alone. They are set aside for staff, who let them be tried again or dismiss them. Later
 * steps of such a transfer wait behind them, so that the order of what the bank said stays.
 */
import type { Standing } from '@opencashier/core/payout/bring-back';
import type { Transaction } from '../database/database.ts';
import { isRefused, isRepeatable } from '../database/pool-database.ts';
import { DomainError } from '../errors/domain-error.ts';
import type { Actor } from '../operators/setting-history.ts';
import { applySteps } from './apply-steps.ts';
import type { TransferStep } from './judge-facts.ts';
import type { PayoutFilePorts } from './payout-file-ports.ts';
import { columnsOf, nameOf, type PlacedStep, type StoredStep, stepOf } from './stored-steps.ts';

/** The cause of a step that waits behind another one of its transfer. */
const EARLIER_STEP = 'earlier-step';

interface RefusedStep {
  readonly operatorId: string;
  readonly messageId: string;
  readonly step: StoredStep;
  /** The constraint or the code of the refusal. */
  readonly cause: string;
}

/** Moves a step out of its message, with the later ones of its transfer. The transaction has locked the message. */
export async function setStepAside(transaction: Transaction, refused: RefusedStep): Promise<void> {
  const { operatorId, messageId, cause } = refused;
  const { n, withdrawalId } = refused.step;
  await transaction.query({
    text: 'select 1 from payout_transfer where operator_id = $1 and withdrawal_id = $2 for update',
    values: [operatorId, withdrawalId],
  });
  await transaction.query({
    text: `with moved as (
        delete from bank_message_step where operator_id = $1 and message_id = $2 and withdrawal_id = $3 and n >= $4 returning *
      )
      insert into bank_step_set_aside (operator_id, message_id, n, withdrawal_id, state, reason, returned, cause)
      select operator_id, message_id, n, withdrawal_id, state, reason, returned, case when n = $4 then $5 else '${EARLIER_STEP}' end
      from moved order by n`,
    values: [operatorId, messageId, withdrawalId, n, cause],
  });
}

/** Stores steps of a new message behind the ones of their transfers that are set aside. */
export async function storeBehind(
  transaction: Transaction,
  operatorId: string,
  messageId: string,
  steps: readonly PlacedStep[],
): Promise<void> {
  if (steps.length === 0) return;
  await transaction.query({
    text: `insert into bank_step_set_aside (operator_id, message_id, n, withdrawal_id, state, reason, returned, cause)
      select $1, $2, step.*, '${EARLIER_STEP}' from unnest($3::int[], $4::uuid[], $5::text[], $6::text[], $7::bigint[]) step
      order by 3`,
    values: [operatorId, messageId, ...columnsOf(steps)],
  });
}

/** The last step that is set aside of each of these transfers, which the transaction has locked. */
export async function lastSetAside(
  transaction: Transaction,
  operatorId: string,
  withdrawalIds: readonly string[],
): Promise<ReadonlyMap<string, TransferStep>> {
  const rows = await transaction.query<StoredStep>({
    text: `select distinct on (withdrawal_id) n, withdrawal_id as "withdrawalId", state as "to", reason, returned from bank_step_set_aside
      where operator_id = $1 and withdrawal_id = any($2::uuid[]) and ended_at is null order by withdrawal_id, place desc`,
    values: [operatorId, withdrawalIds],
  });
  return new Map(rows.map((row) => [row.withdrawalId, stepOf(row)]));
}

/** Locks a transfer. @returns its state, reason and files */
export async function lockStanding(
  transaction: Transaction,
  operatorId: string,
  withdrawalId: string,
): Promise<Standing | undefined> {
  const [standing] = await transaction.query<Omit<Standing, 'files'>>({
    text: `select state, reason, file_id as "fileId" from payout_transfer where operator_id = $1 and withdrawal_id = $2 for update`,
    values: [operatorId, withdrawalId],
  });
  if (standing === undefined) return undefined;
  // After the lock, because whoever builds a file holds it.
  const lines = await transaction.query({
    text: 'select 1 from payout_file_line where operator_id = $1 and withdrawal_id = $2',
    values: [operatorId, withdrawalId],
  });
  return { ...standing, files: lines.length };
}

export interface SetAsideDecision extends Actor {
  /**
   * `retry`: all steps of the transfer are applied now, in their order, or none. `dismiss`: the first step is not applied, and the next one
   * takes its place. A dismissed step can be brought back (`dismissed-steps.ts`).
   */
  readonly decision: 'retry' | 'dismiss';
  /** The message of the step that is dismissed. So nobody dismisses a step that came meanwhile. */
  readonly messageId?: string | undefined;
  /** Why. Needed to dismiss. */
  readonly note?: string | undefined;
}

/**
 * Ends steps of a transfer that are set aside.
 * @returns how many were ended
 * @throws DomainError not-found where none is set aside. state-conflict: the database still refuses a step, and it names the cause; or the
 * step to dismiss is of another message
 */
export async function endSetAside(
  { database }: PayoutFilePorts,
  operatorId: string,
  withdrawalId: string,
  { decision, messageId, note, by, keyId }: SetAsideDecision,
): Promise<number> {
  try {
    return await database.transaction(async (transaction) => {
      const stood = await lockStanding(transaction, operatorId, withdrawalId);
      const steps = await transaction.query<StoredStep & { readonly messageId: string; readonly place: bigint }>({
        text: `select n, withdrawal_id as "withdrawalId", state as "to", reason, returned, message_id as "messageId", place
          from bank_step_set_aside where operator_id = $1 and withdrawal_id = $2 and ended_at is null order by place for update`,
        values: [operatorId, withdrawalId],
      });
      const [first] = steps;
      if (first === undefined) throw new DomainError('not-found', 'No step of this transfer is set aside.');
      if (decision === 'dismiss' && first.messageId !== messageId) {
        const message = 'The first step of this transfer is of another message. Look at the list again.';
        throw new DomainError('state-conflict', message, { params: { messageId: first.messageId } });
      }
      const ended = decision === 'retry' ? steps : [first];
      if (decision === 'retry')
        await applySteps(
          transaction,
          operatorId,
          steps.map((step) => ({ ...stepOf(step), messageId: step.messageId })),
        );
      await transaction.query({
        text: `update bank_step_set_aside set outcome = $4, ended_by = $5, ended_key = $6, note = $7, ended_at = now(),
            stood_state = $8, stood_reason = $9, stood_file_id = $10, stood_files = $11
          where operator_id = $1 and withdrawal_id = $2 and place = any($3::bigint[]) and ended_at is null`,
        values: [
          operatorId,
          withdrawalId,
          ended.map(({ place }) => place),
          decision === 'retry' ? 'applied' : 'dismissed',
          by,
          keyId ?? null,
          note ?? null,
          ...(decision === 'retry'
            ? [null, null, null, null]
            : [stood?.state, stood?.reason, stood?.fileId, stood?.files]),
        ],
      });
      return ended.length;
    });
  } catch (error) {
    if (!isRefused(error) || isRepeatable(error)) throw error;
    const message =
      'The database still refuses a step of this transfer. Nothing changed. End the cause, or dismiss the steps.';
    throw new DomainError('state-conflict', message, { params: { cause: nameOf(error) } }, { cause: error });
  }
}
