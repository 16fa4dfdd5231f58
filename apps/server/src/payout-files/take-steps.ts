/** Moves transfers as a bank or staff say, and stores the reports for the cashier in the same transaction. */
import { isDuplicateReason } from '@opencashier/core/sepa/bank-status';
import { endToEndIdOf } from '@opencashier/core/sepa/payment-references';
import type { Transaction } from '../database/database.ts';
import { withdrawalEvents } from '../provider-events/withdrawal-events.ts';
import { type FiledTransfer, reportOfTransfer } from '../providers/filed-transfer.ts';
import type { TransferStep } from './judge-facts.ts';

interface SteppedTransfer extends FiledTransfer {
  readonly connectionId: string;
  readonly provider: string;
}

/** Reports that one statement makes due. */
const WOKEN_AT_ONCE = 1_000;

/** Moves transfers, and stores the reports for the cashier. They wait like those that came before their payments, and are due at once. */
export async function takeSteps(
  transaction: Transaction,
  operatorId: string,
  steps: readonly TransferStep[],
): Promise<void> {
  const reported = new Map<string, string[]>();
  for (const step of steps) {
    const { withdrawalId, provider } = await takeStep(transaction, operatorId, step);
    if (step.to === 'stopped') continue;
    const others = reported.get(provider);
    if (others === undefined) reported.set(provider, [withdrawalId]);
    else others.push(withdrawalId);
  }
  for (const [provider, ids] of reported) {
    for (let at = 0; at < ids.length; at += WOKEN_AT_ONCE) {
      const some = ids.slice(at, at + WOKEN_AT_ONCE);
      await withdrawalEvents.wakeAll(transaction, { provider, ids: some, providerRefs: some.map(endToEndIdOf) });
    }
  }
}

async function takeStep(
  transaction: Transaction,
  operatorId: string,
  { withdrawalId, to, reason, returned }: TransferStep,
): Promise<SteppedTransfer> {
  const isOver = to !== 'stopped';
  const [moved] = await transaction.query<SteppedTransfer>({
    name: 'payout-transfer-step',
    text: `update payout_transfer set state = $3, reason = coalesce($4, reason), returned = $5, due_at = null,
        payee = case when $6 then null else payee end, payee_key = case when $6 then null else payee_key end
      where operator_id = $1 and withdrawal_id = $2
      returning withdrawal_id as "withdrawalId", currency, amount, state, reason, returned, changed_at as "changedAt",
        connection_id as "connectionId",
        (select provider from provider_connection own where own.operator_id = $1 and own.id = payout_transfer.connection_id) as provider`,
    values: [operatorId, withdrawalId, to, reason?.slice(0, 35) ?? null, returned ?? null, isOver],
  });
  if (moved === undefined) throw new Error(`The transfer of withdrawal ${withdrawalId} is gone`);
  // After a duplicate the bank may have paid the line, so it stays live.
  if (to === 'declined' || (to === 'stopped' && !isDuplicateReason(reason))) {
    await transaction.query({
      name: 'payout-file-line-ended',
      text: `update payout_file_line set is_live = false where operator_id = $1 and withdrawal_id = $2 and is_live`,
      values: [operatorId, withdrawalId],
    });
  }
  if (isOver) {
    const { provider, connectionId } = moved;
    const report = reportOfTransfer(provider, moved);
    await withdrawalEvents.record(transaction, {
      ...report,
      connectionId,
      eventId: `${connectionId}/${report.eventId}`,
    });
  }
  return moved;
}
