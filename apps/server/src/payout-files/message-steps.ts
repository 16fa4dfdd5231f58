/** The steps of a bank's message that are decided and not taken yet. Each short transaction takes some of them, in their order. */
import type { Transaction } from '../database/database.ts';
import type { DueWork } from '../jobs/due-worker.ts';
import { lanesOf } from '../jobs/lanes.ts';
import type { TransferStep } from './judge-facts.ts';
import type { PayoutFilePorts } from './payout-file-ports.ts';
import { takeSteps } from './take-steps.ts';

/** Steps of one transaction. It locks so many transfers. */
const STEPS_AT_ONCE = 200;
/** Operators of one look of the worker. Each gets one transaction, so nobody waits for a long message of another operator. */
const OPERATORS_AT_ONCE = 10;

/** Stores steps of a message, in the transaction that decides about it: at most two for each transfer. They are taken later. */
export async function storeSteps(
  transaction: Transaction,
  operatorId: string,
  messageId: string,
  steps: readonly TransferStep[],
): Promise<void> {
  if (steps.length === 0) return;
  await transaction.query({
    text: `insert into bank_message_step (operator_id, message_id, n, withdrawal_id, state, reason, returned)
      select $1, $2, step.n, step.withdrawal_id, step.state, step.reason, step.returned
      from unnest($3::uuid[], $4::text[], $5::text[], $6::bigint[]) with ordinality step (withdrawal_id, state, reason, returned, n)`,
    values: [
      operatorId,
      messageId,
      steps.map(({ withdrawalId }) => withdrawalId),
      steps.map(({ to }) => to),
      steps.map(({ reason }) => reason?.slice(0, 35) ?? null),
      steps.map(({ returned }) => returned ?? null),
    ],
  });
}

/** Whether one of these transfers, which the transaction has locked, waits for a step of another message. */
export async function haveStepsLeft(
  transaction: Transaction,
  operatorId: string,
  withdrawalIds: readonly string[],
): Promise<boolean> {
  const rows = await transaction.query({
    text: 'select 1 from bank_message_step where operator_id = $1 and withdrawal_id = any($2::uuid[]) limit 1',
    values: [operatorId, withdrawalIds],
  });
  return rows.length > 0;
}

interface StoredStep {
  readonly n: number;
  readonly withdrawalId: string;
  readonly to: TransferStep['to'];
  readonly reason: string | null;
  readonly returned: bigint | null;
}

/** Takes the next steps of a message, and forgets them in the same transaction. @returns whether there were any */
function takeSome(ports: PayoutFilePorts, operatorId: string, messageId: string): Promise<boolean> {
  return ports.database.transaction(async (transaction) => {
    // Who comes second waits here for the first, and then finds the steps that are left.
    const steps = await transaction.query<StoredStep>({
      name: 'bank-message-steps',
      text: `select n, withdrawal_id as "withdrawalId", state as "to", reason, returned from bank_message_step
        where operator_id = $1 and message_id = $2 order by n limit $3 for update`,
      values: [operatorId, messageId, ports.stepsAtOnce ?? STEPS_AT_ONCE],
    });
    if (steps.length === 0) return false;
    // In the order of every other transaction that locks several transfers.
    await transaction.query({
      text: `select 1 from payout_transfer where operator_id = $1 and withdrawal_id = any($2::uuid[]) order by withdrawal_id for update`,
      values: [operatorId, steps.map(({ withdrawalId }) => withdrawalId)],
    });
    const taken = steps.map(({ withdrawalId, to, reason, returned }) => ({
      withdrawalId,
      to,
      reason: reason ?? undefined,
      returned: returned ?? undefined,
    }));
    await takeSteps(transaction, operatorId, taken);
    await transaction.query({
      text: 'delete from bank_message_step where operator_id = $1 and message_id = $2 and n = any($3::int[])',
      values: [operatorId, messageId, steps.map(({ n }) => n)],
    });
    ports.failpoint?.('bank-message-steps-uncommitted');
    return true;
  });
}

/** Takes all steps of a message that are left. Each transaction takes at least one, so the loop ends. */
export async function finishMessage(ports: PayoutFilePorts, operatorId: string, messageId: string): Promise<void> {
  while (await takeSome(ports, operatorId, messageId)) ports.failpoint?.('bank-message-steps-taken');
}

/** Takes the steps that earlier messages of an operator have left. */
export async function finishOperator(ports: PayoutFilePorts, operatorId: string): Promise<void> {
  const left = await ports.database.query<{ messageId: string }>({
    text: 'select distinct message_id as "messageId" from bank_message_step where operator_id = $1 order by 1',
    values: [operatorId],
  });
  for (const { messageId } of left) await finishMessage(ports, operatorId, messageId);
}

interface UnfinishedMessage {
  readonly operatorId: string;
  readonly messageId: string;
}

/** Continues messages whose sender or server has died. */
export function continueBankMessages(ports: PayoutFilePorts): DueWork<UnfinishedMessage> {
  return {
    name: 'bank-messages',
    idleMs: 1000,
    isByTimeAlone: true,
    claim: () =>
      ports.database.query<UnfinishedMessage>({
        name: 'bank-messages-unfinished',
        text: `with recursive lane(name) as (${lanesOf('bank_message_step', 'operator_id', 'true')})
          select lane.name as "operatorId", step.message_id as "messageId" from lane cross join lateral (
            select message_id from bank_message_step where operator_id = lane.name order by message_id limit 1) step
          order by random() limit $1`,
        values: [OPERATORS_AT_ONCE],
      }),
    async handle({ operatorId, messageId }) {
      await takeSome(ports, operatorId, messageId);
    },
  };
}
