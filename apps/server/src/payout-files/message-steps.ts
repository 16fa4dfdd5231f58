/**
 * The steps of a bank's message that are decided and not applied yet. Each short transaction applies a part of them, in their order. A part
 * that the database refuses is tried again with growing pauses. Then it is divided until the refused step is alone, which is set aside for staff.
 */
import { nextPart, type PartOutcome, type PartPlan, sizeOfPart } from '@opencashier/core/payout/message-parts';
import type { Transaction } from '../database/database.ts';
import { isRefused, isRepeatable, sqlStateOf } from '../database/pool-database.ts';
import type { DueWork } from '../jobs/due-worker.ts';
import { lanesOf } from '../jobs/lanes.ts';
import { applySteps } from './apply-steps.ts';
import type { PayoutFilePorts } from './payout-file-ports.ts';
import { setStepAside } from './set-aside-steps.ts';
import { columnsOf, nameOf, type PlacedStep, type StoredStep, stepOf } from './stored-steps.ts';

/** Steps of one transaction. It locks so many transfers. The embedded database has one connection, which users' calls wait for. */
const STEPS_AT_ONCE = { postgres: 200, embedded: 50 };
/** Operators of one look of the worker. Each gets one transaction, so nobody waits for a long message of another operator. */
const OPERATORS_AT_ONCE = 10;

/** Stores steps of a message, in the transaction that decides about it: at most two for each transfer. They are applied later. */
export async function storeSteps(
  transaction: Transaction,
  operatorId: string,
  messageId: string,
  steps: readonly PlacedStep[],
): Promise<void> {
  if (steps.length === 0) return;
  await transaction.query({
    text: `insert into bank_message_step (operator_id, message_id, n, withdrawal_id, state, reason, returned)
      select $1, $2, step.* from unnest($3::int[], $4::uuid[], $5::text[], $6::text[], $7::bigint[]) step`,
    values: [operatorId, messageId, ...columnsOf(steps)],
  });
  await transaction.query({
    text: 'insert into bank_message_queue (operator_id, message_id) values ($1, $2)',
    values: [operatorId, messageId],
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

interface UnfinishedMessage {
  readonly operatorId: string;
  readonly messageId: string;
}

/** A part that is being tried. */
interface Part {
  readonly plan: PartPlan;
  readonly steps: readonly StoredStep[];
}

/** `ended`: no step is left. `paused`: a part has failed, and is tried again later. */
type Progress = 'more' | 'ended' | 'paused';

const PLAN = 'failures, refusals, suspects, set_aside as "setAside"';

/**
 * Applies the next part of a message, and forgets its steps in the same transaction. A part that fails in the database is noted.
 * @throws any other error, such as that of a lost connection
 */
async function applyPart(ports: PayoutFilePorts, message: UnfinishedMessage): Promise<Progress> {
  let part: Part | undefined;
  try {
    const progress = await ports.database.transaction<Progress>(async (transaction) => {
      part = undefined;
      const plan = await lockPlan(transaction, message);
      if (plan === undefined) return 'ended';
      if (!plan.isDue) return 'paused';
      const size = sizeOfPart(plan, ports.stepsAtOnce ?? STEPS_AT_ONCE[ports.database.kind]);
      const steps = await nextSteps(transaction, message, size);
      part = { plan, steps };
      await applyLocked(transaction, message, steps);
      const isEnded = steps.length < size;
      await (isEnded
        ? leaveQueue(transaction, message)
        : putPlan(transaction, message, nextPart(plan, 'applied', steps.length)));
      ports.failpoint?.('bank-message-steps-uncommitted');
      return isEnded ? 'ended' : 'more';
    });
    if (part !== undefined) ports.failpoint?.('bank-message-steps-applied');
    return progress;
  } catch (error) {
    if (part === undefined || sqlStateOf(error) === undefined) throw error;
    const outcome = isRefused(error) && !isRepeatable(error) ? 'refused' : 'failed';
    await noteFailure(ports, message, { outcome, error, part });
    return 'paused';
  }
}

/** Who comes second waits here for the first, and then finds the steps that are left. */
async function lockPlan(
  transaction: Transaction,
  { operatorId, messageId }: UnfinishedMessage,
): Promise<(PartPlan & { readonly isDue: boolean }) | undefined> {
  const [plan] = await transaction.query<PartPlan & { readonly isDue: boolean }>({
    name: 'bank-message-plan',
    text: `select ${PLAN}, next_at <= now() as "isDue" from bank_message_queue where operator_id = $1 and message_id = $2 for update`,
    values: [operatorId, messageId],
  });
  return plan;
}

function nextSteps(
  transaction: Transaction,
  { operatorId, messageId }: UnfinishedMessage,
  size: number,
): Promise<StoredStep[]> {
  return transaction.query<StoredStep>({
    name: 'bank-message-steps',
    text: `select n, withdrawal_id as "withdrawalId", state as "to", reason, returned from bank_message_step
      where operator_id = $1 and message_id = $2 order by n limit $3 for update`,
    values: [operatorId, messageId, size],
  });
}

async function applyLocked(
  transaction: Transaction,
  { operatorId, messageId }: UnfinishedMessage,
  steps: readonly StoredStep[],
): Promise<void> {
  if (steps.length === 0) return;
  // In the order of every other transaction that locks several transfers.
  await transaction.query({
    text: `select 1 from payout_transfer where operator_id = $1 and withdrawal_id = any($2::uuid[]) order by withdrawal_id for update`,
    values: [operatorId, steps.map(({ withdrawalId }) => withdrawalId)],
  });
  await applySteps(
    transaction,
    operatorId,
    steps.map((step) => ({ ...stepOf(step), messageId })),
  );
  await transaction.query({
    text: 'delete from bank_message_step where operator_id = $1 and message_id = $2 and n = any($3::int[])',
    values: [operatorId, messageId, steps.map(({ n }) => n)],
  });
}

async function leaveQueue(transaction: Transaction, { operatorId, messageId }: UnfinishedMessage): Promise<void> {
  await transaction.query({
    text: 'delete from bank_message_queue where operator_id = $1 and message_id = $2',
    values: [operatorId, messageId],
  });
}

/** @param error the name of a failure; absent: the part was applied */
async function putPlan(
  transaction: Transaction,
  { operatorId, messageId }: UnfinishedMessage,
  { plan, pauseS }: { readonly plan: PartPlan; readonly pauseS: number },
  error?: string,
): Promise<void> {
  await transaction.query({
    name: 'bank-message-plan-next',
    text: `update bank_message_queue set failures = $3, refusals = $4, suspects = $5, set_aside = $6, last_error = $7,
        next_at = now() + make_interval(secs => $8) where operator_id = $1 and message_id = $2`,
    values: [operatorId, messageId, plan.failures, plan.refusals, plan.suspects, plan.setAside, error ?? null, pauseS],
  });
}

/** Stores that a part failed, and sets the refused step aside once it is alone. */
function noteFailure(
  { database, logger }: PayoutFilePorts,
  message: UnfinishedMessage,
  { outcome, error, part }: { outcome: Exclude<PartOutcome, 'applied'>; error: unknown; part?: Part },
): Promise<void> {
  const cause = nameOf(error);
  return database.transaction(async (transaction) => {
    const plan = await lockPlan(transaction, message);
    if (plan === undefined) return;
    const steps = part?.steps ?? [];
    const [first] = await nextSteps(transaction, message, 1);
    // Another node has applied this part or noted its failure meanwhile.
    if (part !== undefined && (first?.n !== steps[0]?.n || !isSame(plan, part.plan))) return;
    const next = nextPart(plan, outcome, Math.max(1, steps.length));
    if (next.isRefusedStep && first !== undefined) await setStepAside(transaction, { ...message, step: first, cause });
    logger?.warn(
      {
        messageId: message.messageId,
        failures: next.plan.failures,
        steps: steps.length,
        setAside: next.isRefusedStep,
        cause,
        // The message of the database may repeat data of a payee.
        ...(sqlStateOf(error) === undefined && { err: error }),
      },
      next.isRefusedStep ? 'a step of a bank message is set aside for staff' : 'a part of a bank message failed',
    );
    await putPlan(transaction, message, next, cause);
  });
}

const isSame = (one: PartPlan, other: PartPlan): boolean =>
  one.failures === other.failures &&
  one.refusals === other.refusals &&
  one.suspects === other.suspects &&
  one.setAside === other.setAside;

/** Applies all steps of a message that are left, until a part fails. The worker tries that one again, and divides it. */
export async function finishMessage(ports: PayoutFilePorts, operatorId: string, messageId: string): Promise<void> {
  for (let progress: Progress = 'more'; progress === 'more'; )
    progress = await applyPart(ports, { operatorId, messageId });
}

/** Applies the steps that earlier messages of an operator have left. Messages with a part that failed are the worker's. */
export async function finishOperator(ports: PayoutFilePorts, operatorId: string): Promise<void> {
  const left = await ports.database.query<{ messageId: string }>({
    text: `select message_id as "messageId" from bank_message_queue
      where operator_id = $1 and next_at <= now() and failures = 0 and refusals = 0 order by message_id`,
    values: [operatorId],
  });
  for (const { messageId } of left) await finishMessage(ports, operatorId, messageId);
}

/** Continues messages whose sender or server has died, and those with a part that failed. */
export function continueBankMessages(ports: PayoutFilePorts): DueWork<UnfinishedMessage> {
  return {
    name: 'bank-messages',
    idleMs: 1000,
    isByTimeAlone: true,
    claim: () =>
      ports.database.query<UnfinishedMessage>({
        name: 'bank-messages-due',
        text: `with recursive lane(name) as (${lanesOf('bank_message_queue', 'operator_id', 'true')})
          select lane.name as "operatorId", due.message_id as "messageId" from lane cross join lateral (
            select message_id from bank_message_queue where operator_id = lane.name and next_at <= now() order by next_at limit 1) due
          order by random() limit $1`,
        values: [OPERATORS_AT_ONCE],
      }),
    async handle(message) {
      try {
        await applyPart(ports, message);
      } catch (error) {
        await noteFailure(ports, message, { outcome: 'failed', error });
      }
    },
  };
}
