/**
 * How a file gets to the bank: one person downloads it and gives it to the bank, another person says that the bank has it. The cashier
 * never sends a file twice: from the download on the bank may have it. Every download is recorded, also after the hand-over.
 */
import { judgeSecondPerson, type SecondPersonVerdict, type Take } from '@opencashier/core/payout/second-person';
import { sameDecider } from '@opencashier/core/withdrawal/withdrawal-approval';
import type { Queryable, Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import type { Actor } from '../operators/setting-history.ts';
import { readApprovalSettings } from '../withdrawals/approval-settings.ts';
import { haveStepsLeft } from './message-steps.ts';
import { fileView, type PayoutFileView, TAKES_OF_FILE } from './payout-file-page.ts';
import { contextOfFile, type PayoutFilePorts } from './payout-file-ports.ts';
import { lastSetAside } from './set-aside-steps.ts';

interface LockedFile {
  readonly state: PayoutFileView['state'];
  /** Null: erased. */
  readonly sealed: Buffer | null;
  readonly keyId: string | null;
  readonly handedBy: string | null;
}

async function lockFile(queryable: Queryable, operatorId: string, fileId: string): Promise<LockedFile> {
  const [file] = await queryable.query<LockedFile>({
    text: `select state, sealed, key_id as "keyId", handed_by as "handedBy" from payout_file where operator_id = $1 and id = $2 for no key update`,
    values: [operatorId, fileId],
  });
  if (file === undefined) throw new DomainError('not-found', 'There is no such payout file.');
  return file;
}

/**
 * The content of a file. Records who has it.
 * @throws DomainError not-found; state-conflict for a rejected file, an erased one, or without the data key of the content. Also when an
 * older file has ended one of its transfers meanwhile: the others then leave in another file
 */
export async function downloadFile(
  { database, dataKeys, failpoint }: PayoutFilePorts,
  operatorId: string,
  fileId: string,
  { by, keyId }: Actor,
): Promise<{ readonly file: PayoutFileView; readonly content: string }> {
  const answer = await database.transaction(async (transaction) => {
    const file = await lockFile(transaction, operatorId, fileId);
    if (file.state === 'rejected')
      throw conflict('The bank has rejected this file. Its transfers leave in another one.', file);
    const { sealed, keyId: dataKey } = file;
    if (sealed === null || dataKey === null)
      throw conflict('The content of this file was erased: all its transfers ended more than 30 days ago.', file);
    const content = dataKeys.open({ sealed, keyId: dataKey }, contextOfFile(operatorId, fileId));
    if (content === undefined) throw conflict('The data key of this file is missing in the settings (DATA_KEY).', file);
    if (file.state === 'built' && (await isEndedInPart(transaction, operatorId, fileId))) {
      await dissolveFile(transaction, operatorId, fileId);
      return undefined;
    }
    await transaction.query({
      text: `update payout_file set state = 'downloaded', downloaded_by = $3, downloaded_key = $4, downloaded_at = now()
        where operator_id = $1 and id = $2 and state = 'built'`,
      values: [operatorId, fileId, by, keyId ?? null],
    });
    await transaction.query({
      text: 'insert into payout_file_take (operator_id, file_id, by, key_id) values ($1, $2, $3, $4)',
      values: [operatorId, fileId, by, keyId ?? null],
    });
    return { file: await fileView(transaction, operatorId, fileId), content };
  });
  if (answer === undefined) {
    const message = 'The bank has ended a transfer of this file by an older one. The others leave in another file.';
    throw conflict(message, { state: 'rejected' });
  }
  failpoint?.('payout-file-downloaded');
  return answer;
}

/**
 * Whether a transfer of a file that was never downloaded has ended: the bank executed or declined it in an older file that it had rejected.
 * Locks the transfers.
 * @throws DomainError state-conflict while a message may still end one of them
 */
async function isEndedInPart(transaction: Transaction, operatorId: string, fileId: string): Promise<boolean> {
  const transfers = await transaction.query<{ id: string; isEnded: boolean }>({
    text: `select withdrawal_id as id, state in ('paid', 'returned', 'declined') as "isEnded" from payout_transfer where operator_id = $1 and file_id = $2
      order by withdrawal_id for update`,
    values: [operatorId, fileId],
  });
  const ids = transfers.map(({ id }) => id);
  if (await haveStepsLeft(transaction, operatorId, ids)) {
    throw conflict('A message of the bank about this file is being read. Download the file afterwards.', {
      state: 'built',
    });
  }
  if ((await lastSetAside(transaction, operatorId, ids)).size > 0) {
    const message =
      'A step of a bank message about a transfer of this file is set aside. End it first (payouts set-aside).';
    throw conflict(message, { state: 'built' });
  }
  return transfers.some(({ isEnded }) => isEnded);
}

/** Ends a file that nobody has. Its open transfers wait for another one. */
async function dissolveFile(transaction: Transaction, operatorId: string, fileId: string): Promise<void> {
  const stopped = await transaction.query<{ id: string }>({
    text: `update payout_transfer set state = 'stopped' where operator_id = $1 and file_id = $2 and state = 'filed'
      returning withdrawal_id as id`,
    values: [operatorId, fileId],
  });
  await transaction.query({
    text: 'update payout_file_line set is_live = false where operator_id = $1 and file_id = $2 and is_live',
    values: [operatorId, fileId],
  });
  await transaction.query({
    text: `update payout_transfer set state = 'queued', file_id = null, message_id = null, due_at = now()
      where operator_id = $1 and withdrawal_id = any($2::uuid[])`,
    values: [operatorId, stopped.map(({ id }) => id)],
  });
  await transaction.query({
    text: `update payout_file set state = 'rejected' where operator_id = $1 and id = $2`,
    values: [operatorId, fileId],
  });
}

/**
 * Records that the bank has a file. A person who never downloaded it must say so. A repeat changes nothing.
 * @throws DomainError not-found, state-conflict
 */
export async function handOver(
  { database, failpoint }: PayoutFilePorts,
  operatorId: string,
  fileId: string,
  { by, keyId }: Actor,
): Promise<PayoutFileView> {
  const view = await database.transaction(async (transaction) => {
    const file = await lockFile(transaction, operatorId, fileId);
    if (file.handedBy !== null && sameDecider(file.handedBy, by)) return fileView(transaction, operatorId, fileId);
    if (file.state !== 'downloaded') throw conflict(REFUSALS['not-taken'], file);
    const takes = await takesOf(transaction, operatorId, fileId);
    const { differentKeys } = await readApprovalSettings(transaction, operatorId);
    const verdict = judgeSecondPerson(takes, { by, keyId: keyId ?? null }, differentKeys);
    if (verdict !== 'good') throw conflict(REFUSALS[verdict], file);
    await transaction.query({
      text: `update payout_file set state = 'handed', handed_by = $3, handed_key = $4, handed_at = now()
        where operator_id = $1 and id = $2`,
      values: [operatorId, fileId, by, keyId ?? null],
    });
    return fileView(transaction, operatorId, fileId);
  });
  failpoint?.('payout-file-handed');
  return view;
}

const REFUSALS: Readonly<Record<Exclude<SecondPersonVerdict, 'good'>, string>> = {
  'not-taken': 'Only a file that was downloaded can be handed over.',
  'same-person': 'This person has downloaded the file. A person who never did must say that the bank has it.',
  'same-key': 'This API key has downloaded the file. A key that never did must say that the bank has it.',
};

function takesOf(queryable: Queryable, operatorId: string, fileId: string): Promise<Take[]> {
  return queryable.query({
    text: `select distinct by, key_id as "keyId" from (${TAKES_OF_FILE}) take`,
    values: [operatorId, fileId],
  });
}

function conflict(message: string, { state }: Pick<LockedFile, 'state'>): DomainError {
  return new DomainError('state-conflict', message, { params: { state } });
}
