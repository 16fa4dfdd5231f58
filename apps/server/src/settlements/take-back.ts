/**
 * Takes a settlement file back that was imported by mistake (SRV-1, SRV-2). One person proposes it with a reason, and another confirms it.
 * Afterwards the file settles nothing, and its bytes can be imported again.
 */
import type { DecideTakeBack, ProposeTakeBack, SettlementFileView, TakeBackView } from '@opencashier/contract/operator';
import type { Database, Queryable, Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { fileView } from './file-page.ts';
import { lockBooks } from './lock-books.ts';
import { refuseSamePerson } from './second-person.ts';
import { type FileToTakeBack, refuseObstacles } from './take-back-obstacles.ts';
import { undoFile } from './undo-file.ts';

interface TakeBackRow {
  readonly fileId: string;
  readonly reason: string;
  readonly state: TakeBackView['state'];
  readonly proposedBy: string;
  readonly proposedKey: string | null;
  readonly decidedBy: string | null;
}

/**
 * Proposes to take a file back, once per `decisionId`. What stands in the way is said at once.
 * @throws DomainError not-found, state-conflict, idempotency-conflict or temporarily-unavailable
 */
export function proposeTakeBack(
  database: Database,
  operatorId: string,
  fileId: string,
  { decisionId, decidedBy, reason }: ProposeTakeBack,
  keyId?: string,
): Promise<SettlementFileView> {
  return database.transaction(async (transaction) => {
    await lockBooks(transaction, { operatorId });
    const file = await findFile(transaction, operatorId, fileId);
    if (file === undefined) throw new DomainError('not-found', 'There is no such file.');
    const known = await findTakeBack(transaction, operatorId, decisionId);
    if (known !== undefined) {
      if (known.fileId === fileId && known.reason === reason && known.proposedBy === decidedBy)
        return fileView(transaction, operatorId, fileId);
      throw new DomainError('idempotency-conflict', 'The decisionId was already used for another decision.');
    }
    const [waiting] = await transaction.query<{ id: string }>({
      text: `select id from settlement_take_back where operator_id = $1 and file_id = $2 and state = 'proposed'`,
      values: [operatorId, fileId],
    });
    if (waiting !== undefined) {
      throw new DomainError('state-conflict', 'A proposal to take this file back waits for a second person.', {
        params: { takeBackId: waiting.id },
      });
    }
    await refuseObstacles(transaction, operatorId, file);
    await transaction.query({
      text: `insert into settlement_take_back (operator_id, id, file_id, reason, proposed_by, proposed_key) values ($1, $2, $3, $4, $5, $6)`,
      values: [operatorId, decisionId, fileId, reason, decidedBy, keyId ?? null],
    });
    return fileView(transaction, operatorId, fileId);
  });
}

/**
 * Confirms a proposal, which takes the file back, or rejects it. A repeat by the same person gets the same answer.
 * @throws DomainError not-found, state-conflict or temporarily-unavailable
 */
export function decideTakeBack(
  database: Database,
  operatorId: string,
  takeBackId: string,
  { decision, decidedBy }: DecideTakeBack,
  keyId?: string,
): Promise<SettlementFileView> {
  const state = decision === 'confirm' ? 'confirmed' : 'rejected';
  return database.transaction(async (transaction) => {
    // Nothing is compared, booked or closed meanwhile, and of two decisions the second one sees the first.
    await lockBooks(transaction, { operatorId });
    const proposal = await findTakeBack(transaction, operatorId, takeBackId);
    if (proposal === undefined) throw new DomainError('not-found', 'There is no such proposal.');
    const { fileId } = proposal;
    if (proposal.state !== 'proposed') {
      if (proposal.state === state && proposal.decidedBy === decidedBy)
        return fileView(transaction, operatorId, fileId);
      throw new DomainError('state-conflict', 'The proposal was decided before.', {
        params: { state: proposal.state },
      });
    }
    if (state === 'confirmed') {
      await refuseSamePerson(
        transaction,
        operatorId,
        { ...proposal, what: 'to take this file back' },
        decidedBy,
        keyId,
      );
      const file = await findFile(transaction, operatorId, fileId);
      if (file === undefined) throw new Error(`There is no settlement file ${fileId}`);
      await refuseObstacles(transaction, operatorId, file);
    }
    await transaction.query({
      text: `update settlement_take_back set state = $3, decided_by = $4, decided_key = $5, decided_at = now()
        where operator_id = $1 and id = $2`,
      values: [operatorId, takeBackId, state, decidedBy, keyId ?? null],
    });
    if (state === 'confirmed') await undoFile(transaction, operatorId, fileId);
    return fileView(transaction, operatorId, fileId);
  });
}

async function findFile(
  transaction: Transaction,
  operatorId: string,
  fileId: string,
): Promise<FileToTakeBack | undefined> {
  const [file] = await transaction.query<FileToTakeBack>({
    text: `select id as "fileId", provider, source, state from settlement_file where operator_id = $1 and id = $2 for no key update`,
    values: [operatorId, fileId],
  });
  return file;
}

async function findTakeBack(
  queryable: Queryable,
  operatorId: string,
  takeBackId: string,
): Promise<TakeBackRow | undefined> {
  const [row] = await queryable.query<TakeBackRow>({
    text: `select file_id as "fileId", reason, state, proposed_by as "proposedBy", proposed_key as "proposedKey", decided_by as "decidedBy"
      from settlement_take_back where operator_id = $1 and id = $2`,
    values: [operatorId, takeBackId],
  });
  return row;
}
