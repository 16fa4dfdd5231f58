/**
 * Applies a bank's message to the transfers of an operator. One transaction decides about the whole message and stores its steps. Short
 * transactions then apply the steps, each with its reports for the cashier. After a crash a worker applies the steps that are left.
 */
import { createHash } from 'node:crypto';
import type { Transaction } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { DomainError } from '../errors/domain-error.ts';
import type { Actor } from '../operators/setting-history.ts';
import type { BankFact, BankMessage, MessageKind } from './bank-facts.ts';
import {
  type Judged,
  judgeFacts,
  type KnownFile,
  type KnownTransfer,
  type MessageProblem,
  type TransferStep,
} from './judge-facts.ts';
import { progressOf } from './message-page.ts';
import { finishMessage, finishOperator, haveStepsLeft, storeSteps } from './message-steps.ts';
import type { PayoutFilePorts } from './payout-file-ports.ts';
import { readBankMessage } from './read-bank-message.ts';
import { lastSetAside, storeBehind } from './set-aside-steps.ts';

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
  /** Transfers that it changes. */
  readonly changed: number;
  /** Of these: transfers that wait, since a part failed. */
  readonly left: number;
  /** Of these: transfers with a step that is set aside for staff. */
  readonly setAside: number;
  /** Of these: transfers of which staff have dismissed a step. */
  readonly dismissed: number;
  /** The first problems. Empty for a known message. */
  readonly problems: MessageProblem[];
  /** How many problems there are. */
  readonly problemCount: number;
}

/** Problems that an answer lists. */
const MOST_PROBLEMS = 100;

/** What is decided about a message. */
type DecidedMessage = Omit<AppliedMessage, 'left' | 'setAside' | 'dismissed'>;

/** @throws DomainError invalid-request that names the line, for a file that is broken or no message of a bank */
export async function applyBankMessage(ports: PayoutFilePorts, sent: SentMessage): Promise<AppliedMessage> {
  const hash = createHash('sha256').update(sent.bytes).digest();
  const known = await findMessage(ports, sent.operatorId, hash);
  const applied = known ?? (await decide(ports, sent, hash, await readBankMessage(sent.bytes)));
  await finishMessage(ports, sent.operatorId, applied.messageId);
  ports.failpoint?.('bank-message-applied');
  return { ...applied, ...(await progressOf(ports.database, sent.operatorId, applied.messageId)) };
}

/** Decisions that are tried before the sender must send the message again. */
const MOST_TRIES = 5;

/** Stores the message with its steps. @throws DomainError state-conflict while other messages about its transfers keep coming */
async function decide(
  ports: PayoutFilePorts,
  sent: SentMessage,
  hash: Buffer,
  message: BankMessage,
): Promise<DecidedMessage> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    try {
      // The decision about a message needs the states that the earlier messages lead to.
      await finishOperator(ports, sent.operatorId);
      const decided = await ports.database.transaction((transaction) => store(ports, transaction, sent, hash, message));
      ports.failpoint?.('bank-message-decided');
      return decided;
    } catch (error) {
      const isEarlier = error instanceof EarlierMessage;
      if (!isEarlier && constraintOf(error) !== 'bank_message_once') throw error;
      // The same file may have come twice at once. Then the earlier message is this one, and its own steps are the ones that are left.
      const first = await findMessage(ports, sent.operatorId, hash);
      if (first !== undefined) return first;
      if (!isEarlier) throw error;
    }
  }
  throw new DomainError('state-conflict', 'Other messages about these transfers are being read. Send the file again.');
}

/** Another message about the same transfers has steps that are left. */
class EarlierMessage extends Error {}

async function findMessage(
  { database }: PayoutFilePorts,
  operatorId: string,
  hash: Buffer,
): Promise<DecidedMessage | undefined> {
  const [row] = await database.query<Pick<DecidedMessage, 'messageId' | 'kind' | 'found' | 'changed'>>({
    text: `select id as "messageId", kind, found, changed from bank_message where operator_id = $1 and hash = $2`,
    values: [operatorId, hash],
  });
  return row && { outcome: 'known', ...row, problems: [], problemCount: 0 };
}

async function store(
  ports: PayoutFilePorts,
  transaction: Transaction,
  { operatorId, name, by, keyId }: SentMessage,
  hash: Buffer,
  { kind, facts }: BankMessage,
): Promise<DecidedMessage> {
  const files = await filesOf(transaction, operatorId, facts);
  const transfers = await lockTransfers(transaction, operatorId, facts, files);
  const ids = transfers.map(({ withdrawalId }) => withdrawalId);
  if (await haveStepsLeft(transaction, operatorId, ids)) throw new EarlierMessage();
  const aside = await lastSetAside(transaction, operatorId, ids);
  const books = {
    // What the bank says next follows on what is set aside.
    transfers: new Map(transfers.map((one) => [one.withdrawalId, after(one, aside.get(one.withdrawalId))])),
    files: new Map(files.map((one) => [one.fileId, one])),
  };
  const { steps, problems, rejectedFiles } = judgeFacts(facts, books);
  await rejectFiles(transaction, operatorId, rejectedFiles);
  const found = new Set(facts.flatMap(({ withdrawalId }) => withdrawalId ?? [])).size;
  const changed = new Set(steps.map(({ withdrawalId }) => withdrawalId)).size;
  const [row] = await transaction.query<{ messageId: string }>({
    text: `insert into bank_message (operator_id, kind, name, hash, found, changed, problems, by, key_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id as "messageId"`,
    values: [operatorId, kind, name, hash, found, changed, problems.length, by, keyId ?? null],
  });
  if (row === undefined) throw new Error('The message was not written');
  const { messageId } = row;
  // No step is applied here: the database may refuse one, and the decision about the others must stay. While its step waits, staff decide
  // nothing about a transfer, and no new file gets it.
  const waiting = steps.map((step, index) => ({ ...step, n: index + 1 }));
  const isBehind = ({ withdrawalId }: TransferStep) => aside.has(withdrawalId);
  await storeSteps(
    transaction,
    operatorId,
    messageId,
    waiting.filter((step) => !isBehind(step)),
  );
  await storeBehind(transaction, operatorId, messageId, waiting.filter(isBehind));
  ports.failpoint?.('bank-message-uncommitted');
  const listed = problems.slice(0, MOST_PROBLEMS);
  return { outcome: 'applied', messageId, kind, found, changed, problems: listed, problemCount: problems.length };
}

function after(transfer: KnownTransfer, step: TransferStep | undefined): KnownTransfer {
  return step === undefined ? transfer : { ...transfer, state: step.to, reason: step.reason ?? transfer.reason };
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
