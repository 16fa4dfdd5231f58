/** Moves transfers as a bank or staff say, and stores the reports for the cashier in the same transaction. */
import { isDuplicateReason } from '@opencashier/core/sepa/bank-status';
import { endToEndIdOf } from '@opencashier/core/sepa/payment-references';
import type { Transaction } from '../database/database.ts';
import { withdrawalEvents } from '../provider-events/withdrawal-events.ts';
import { type FiledTransfer, reportOfTransfer } from '../providers/filed-transfer.ts';
import type { TransferStep } from './judge-facts.ts';

/** A step with its bank message. Without a message: staff decided. */
export interface AppliedStep extends TransferStep {
  readonly messageId?: string | undefined;
}

interface SteppedTransfer extends FiledTransfer {
  readonly connectionId: string;
  readonly provider: string;
}

/** Reports that one statement makes due. */
const WOKEN_AT_ONCE = 1_000;

/** Moves transfers, and stores the reports for the cashier. They wait like those that came before their payments, and are due at once. */
export async function applySteps(
  transaction: Transaction,
  operatorId: string,
  steps: readonly AppliedStep[],
): Promise<void> {
  const reported = new Map<string, string[]>();
  for (const round of roundsOf(steps)) {
    const moved = await moveTransfers(transaction, operatorId, round);
    await endLines(transaction, operatorId, round);
    const ended = moved.filter(({ state }) => state !== 'stopped');
    await withdrawalEvents.recordAll(transaction, ended.map(eventOf));
    for (const { provider, withdrawalId } of ended) {
      const others = reported.get(provider);
      if (others === undefined) reported.set(provider, [withdrawalId]);
      else others.push(withdrawalId);
    }
  }
  for (const [provider, ids] of reported) {
    for (let at = 0; at < ids.length; at += WOKEN_AT_ONCE) {
      const some = ids.slice(at, at + WOKEN_AT_ONCE);
      await withdrawalEvents.wakeAll(transaction, { provider, ids: some, providerRefs: some.map(endToEndIdOf) });
    }
  }
}

/** Steps in rounds with one step of each transfer at most. So each round is one statement, and the steps of a transfer keep their order. */
function roundsOf(steps: readonly AppliedStep[]): AppliedStep[][] {
  const rounds: AppliedStep[][] = [];
  const roundOf = new Map<string, number>();
  for (const step of steps) {
    const at = roundOf.get(step.withdrawalId) ?? 0;
    roundOf.set(step.withdrawalId, at + 1);
    const round = rounds[at];
    if (round === undefined) rounds.push([step]);
    else round.push(step);
  }
  return rounds;
}

async function moveTransfers(
  transaction: Transaction,
  operatorId: string,
  steps: readonly AppliedStep[],
): Promise<SteppedTransfer[]> {
  const moved = await transaction.query<SteppedTransfer>({
    name: 'payout-transfer-steps',
    text: `update payout_transfer own set state = step.state, reason = coalesce(step.reason, own.reason), returned = step.returned, due_at = null,
        message_id = step.message_id, payee = case when step.state = 'stopped' then own.payee end, payee_key = case when step.state = 'stopped' then own.payee_key end
      from unnest($2::uuid[], $3::text[], $4::text[], $5::bigint[], $6::uuid[]) step(id, state, reason, returned, message_id)
      where own.operator_id = $1 and own.withdrawal_id = step.id
      returning own.withdrawal_id as "withdrawalId", own.currency, own.amount, own.state, own.reason, own.returned,
        own.changed_at as "changedAt", own.connection_id as "connectionId",
        (select provider from provider_connection account where account.operator_id = $1 and account.id = own.connection_id) as provider`,
    values: [
      operatorId,
      steps.map(({ withdrawalId }) => withdrawalId),
      steps.map(({ to }) => to),
      steps.map(({ reason }) => reason?.slice(0, 35) ?? null),
      steps.map(({ returned }) => returned ?? null),
      steps.map(({ messageId }) => messageId ?? null),
    ],
  });
  if (moved.length !== steps.length) throw new Error('A transfer of a step is gone');
  return moved;
}

/** Ends the lines of transfers that the bank has not paid. After a duplicate the bank may have paid the line, so it stays live. */
async function endLines(transaction: Transaction, operatorId: string, steps: readonly TransferStep[]): Promise<void> {
  const unpaid = steps.filter(
    ({ to, reason }) => to === 'declined' || (to === 'stopped' && !isDuplicateReason(reason)),
  );
  if (unpaid.length === 0) return;
  await transaction.query({
    name: 'payout-file-lines-ended',
    text: `update payout_file_line set is_live = false where operator_id = $1 and withdrawal_id = any($2::uuid[]) and is_live`,
    values: [operatorId, unpaid.map(({ withdrawalId }) => withdrawalId)],
  });
}

function eventOf(moved: SteppedTransfer) {
  const { provider, connectionId } = moved;
  const report = reportOfTransfer(provider, moved);
  return { ...report, connectionId, eventId: `${connectionId}/${report.eventId}` };
}
