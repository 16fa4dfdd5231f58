/**
 * Applies a bank's message to the transfers of an operator, wholly or not at all. The reports for the cashier are stored in the same
 * transaction, and the worker for parked reports books them. So a crash neither loses a report nor books it twice.
 */
import { createHash } from 'node:crypto';
import { isDuplicateReason } from '@opencashier/core/sepa/bank-status';
import { endToEndIdOf } from '@opencashier/core/sepa/payment-references';
import type { Transaction } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import type { Actor } from '../operators/setting-history.ts';
import { withdrawalEvents } from '../provider-events/withdrawal-events.ts';
import { type FiledTransfer, reportOfTransfer } from '../providers/filed-transfer.ts';
import type { BankFact, BankMessage, MessageKind } from './bank-facts.ts';
import {
  type Judged,
  judgeFacts,
  type KnownFile,
  type KnownTransfer,
  type MessageProblem,
  type TransferStep,
} from './judge-facts.ts';
import type { PayoutFilePorts } from './payout-file-ports.ts';
import { readBankMessage } from './read-bank-message.ts';

export interface SentMessage extends Actor {
  readonly operatorId: string;
  /** The name of the file, for the operator's records. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface AppliedMessage {
  /** `known`: the same bytes were applied before, and nothing changed. */
  readonly outcome: 'applied' | 'known';
  readonly messageId: string;
  readonly kind: MessageKind;
  /** Transfers that the message names. */
  readonly found: number;
  /** Transfers that it changed. */
  readonly changed: number;
  /** The first problems. Empty for a known message. */
  readonly problems: MessageProblem[];
  /** How many problems there are. */
  readonly problemCount: number;
}

/** Problems that an answer lists. */
const MOST_PROBLEMS = 100;

/** @throws DomainError invalid-request that names the line, for a file that is broken or no message of a bank */
export async function applyBankMessage(ports: PayoutFilePorts, sent: SentMessage): Promise<AppliedMessage> {
  const hash = createHash('sha256').update(sent.bytes).digest();
  const known = await findMessage(ports, sent.operatorId, hash);
  if (known !== undefined) return known;
  const message = await readBankMessage(sent.bytes);
  try {
    const applied = await ports.database.transaction((transaction) => apply(ports, transaction, sent, hash, message));
    ports.failpoint?.('bank-message-applied');
    return applied;
  } catch (error) {
    if (constraintOf(error) !== 'bank_message_once') throw error;
    // The same file came twice at once.
    const first = await findMessage(ports, sent.operatorId, hash);
    if (first === undefined) throw error;
    return first;
  }
}

async function findMessage(
  { database }: PayoutFilePorts,
  operatorId: string,
  hash: Buffer,
): Promise<AppliedMessage | undefined> {
  const [row] = await database.query<Pick<AppliedMessage, 'messageId' | 'kind' | 'found' | 'changed'>>({
    text: `select id as "messageId", kind, found, changed from bank_message where operator_id = $1 and hash = $2`,
    values: [operatorId, hash],
  });
  return row && { outcome: 'known', ...row, problems: [], problemCount: 0 };
}

async function apply(
  ports: PayoutFilePorts,
  transaction: Transaction,
  { operatorId, name, by, keyId }: SentMessage,
  hash: Buffer,
  { kind, facts }: BankMessage,
): Promise<AppliedMessage> {
  const files = await filesOf(transaction, operatorId, facts);
  const transfers = await lockTransfers(transaction, operatorId, facts, files);
  const books = {
    transfers: new Map(transfers.map((one) => [one.withdrawalId, one])),
    files: new Map(files.map((one) => [one.fileId, one])),
  };
  const { steps, problems, rejectedFiles } = judgeFacts(facts, books);
  await takeSteps(transaction, operatorId, steps);
  await rejectFiles(transaction, operatorId, rejectedFiles);
  const found = new Set(facts.flatMap(({ withdrawalId }) => withdrawalId ?? [])).size;
  const changed = new Set(steps.map(({ withdrawalId }) => withdrawalId)).size;
  const [row] = await transaction.query<{ messageId: string }>({
    text: `insert into bank_message (operator_id, kind, name, hash, found, changed, by, key_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8) returning id as "messageId"`,
    values: [operatorId, kind, name, hash, found, changed, by, keyId ?? null],
  });
  if (row === undefined) throw new Error('The message was not written');
  ports.failpoint?.('bank-message-uncommitted');
  const { messageId } = row;
  const listed = problems.slice(0, MOST_PROBLEMS);
  return { outcome: 'applied', messageId, kind, found, changed, problems: listed, problemCount: problems.length };
}

function filesOf(transaction: Transaction, operatorId: string, facts: readonly BankFact[]): Promise<KnownFile[]> {
  return transaction.query({
    text: `select id as "fileId", total, currency from payout_file where operator_id = $1 and id = any($2::uuid[])
      order by id for no key update`,
    values: [operatorId, [...new Set(facts.flatMap(({ fileId }) => fileId ?? []))]],
  });
}

/** The transfers that the message names, and those of the files that it names. */
function lockTransfers(
  transaction: Transaction,
  operatorId: string,
  facts: readonly BankFact[],
  files: readonly KnownFile[],
): Promise<KnownTransfer[]> {
  return transaction.query({
    text: `select withdrawal_id as "withdrawalId", amount, currency, state, reason, file_id as "fileId" from payout_transfer
      where operator_id = $1 and (withdrawal_id = any($2::uuid[]) or file_id = any($3::uuid[])) order by withdrawal_id for update`,
    values: [
      operatorId,
      [...new Set(facts.flatMap(({ withdrawalId }) => withdrawalId ?? []))],
      files.map(({ fileId }) => fileId),
    ],
  });
}

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

async function rejectFiles(
  transaction: Transaction,
  operatorId: string,
  files: Judged['rejectedFiles'],
): Promise<void> {
  if (files.length === 0) return;
  await transaction.query({
    text: `update payout_file set state = 'rejected' where operator_id = $1 and id = any($2::uuid[])`,
    values: [operatorId, files],
  });
}
