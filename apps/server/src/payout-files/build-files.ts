/**
 * Builds files of queued transfers. The content is made and stored once, in the transaction that puts its transfers into the file. So a
 * crash leaves the whole file or none, and no transfer is in two files that a bank may execute.
 */
import { createHash } from 'node:crypto';
import { type CreditTransfer, controlSum, writeCreditTransfers } from '@opencashier/core/sepa/credit-transfer-file';
import { executionDay } from '@opencashier/core/sepa/target-days';
import type { Transaction } from '../database/database.ts';
import type { DueWork } from '../jobs/due-worker.ts';
import { lanesOf } from '../jobs/lanes.ts';
import { openPayee, type TransferAccount } from '../providers/filed-transfer.ts';
import { type BuildPorts, contextOfFile } from './payout-file-ports.ts';
import { hasStepWaiting, transfersWithSteps } from './stored-steps.ts';

/** A connection with transfers that are due. */
interface DueConnection {
  readonly operatorId: string;
  readonly connectionId: string;
}

interface QueuedTransfer {
  readonly withdrawalId: string;
  readonly amount: bigint;
  readonly sealed: Buffer;
  readonly keyId: string;
}

/** Connections of one look. Each gets at most one file, so nobody waits for a long queue of another operator. */
const CONNECTIONS_AT_ONCE = 10;
/** After a connection that could not be opened. */
const AGAIN_AFTER_S = 60;

const waiting = `state = 'queued'`;
const isFree = `not ${hasStepWaiting('payout_transfer')}`;

export function buildPayoutFiles(ports: BuildPorts): DueWork<DueConnection> {
  const { database, logger } = ports;
  return {
    name: 'payout-files',
    idleMs: 1000,
    isByTimeAlone: true,
    claim: () =>
      database.query<DueConnection>({
        name: 'payout-files-due',
        text: `with recursive lane(name) as (${lanesOf('payout_transfer', 'connection_id', waiting)})
          select due.operator_id as "operatorId", lane.name as "connectionId" from lane cross join lateral (
            select operator_id, due_at from payout_transfer
            where connection_id = lane.name and ${waiting} and due_at <= now() and ${isFree} order by due_at limit 1) due
          order by due.due_at limit $1`,
        values: [CONNECTIONS_AT_ONCE],
      }),
    async handle(connection) {
      try {
        await buildFile(ports, connection);
      } catch (error) {
        logger.error({ connection: connection.connectionId, err: error }, 'a payout file could not be built');
        await putOff(ports, connection);
      }
    },
  };
}

async function buildFile(ports: BuildPorts, connection: DueConnection): Promise<void> {
  const account = await ports.accountOf(connection.connectionId);
  if (account === undefined) throw new Error('The connection cannot be opened, or its account is incomplete');
  await ports.database.transaction(async (transaction) => {
    const transfers = await takeTransfers(ports, transaction, connection, account);
    if (transfers.length > 0) await storeFile(ports, transaction, { connection, account, transfers });
  });
  ports.failpoint?.('payout-file-built');
}

/**
 * The oldest transfers within the bounds of a file, locked. One transfer is taken whatever the bounds are. Those with a step of a bank message
 * that waits are left out: the bank may have paid them.
 */
async function takeTransfers(
  { dataKeys }: BuildPorts,
  transaction: Transaction,
  { operatorId, connectionId }: DueConnection,
  { batchSize, batchLimit }: TransferAccount,
): Promise<CreditTransfer[]> {
  const rows = await transaction.query<QueuedTransfer>({
    name: 'payout-transfers-due',
    text: `select withdrawal_id as "withdrawalId", amount, payee as sealed, payee_key as "keyId" from payout_transfer
      where operator_id = $1 and connection_id = $2 and ${waiting} and due_at <= now() and ${isFree}
      order by due_at, created_at, withdrawal_id limit $3 for update skip locked`,
    values: [operatorId, connectionId, batchSize],
  });
  // A message may have been decided between the search and the lock.
  const withSteps = await transfersWithSteps(
    transaction,
    operatorId,
    rows.map(({ withdrawalId }) => withdrawalId),
  );
  const taken: CreditTransfer[] = [];
  let sum = 0n;
  for (const { withdrawalId, amount, ...sealed } of rows) {
    if (withSteps.has(withdrawalId)) continue;
    sum += amount;
    if (taken.length > 0 && sum > batchLimit) break;
    const payee = openPayee(dataKeys, operatorId, withdrawalId, sealed);
    if (payee === undefined) throw new Error(`The data key of the payee of withdrawal ${withdrawalId} is missing`);
    taken.push({ withdrawalId, amountMinor: amount, ...payee });
  }
  return taken;
}

interface NewFile {
  readonly connection: DueConnection;
  readonly account: TransferAccount;
  readonly transfers: readonly CreditTransfer[];
}

async function storeFile(
  { dataKeys, clock, failpoint }: BuildPorts,
  transaction: Transaction,
  { connection: { operatorId, connectionId }, account, transfers }: NewFile,
): Promise<void> {
  const [made] = await transaction.query<{ fileId: string }>({ text: `select time_id() as "fileId"` });
  if (made === undefined) throw new Error('The database gave no id');
  const { fileId } = made;
  const createdAt = clock.now();
  const day = executionDay(createdAt, account);
  const content = writeCreditTransfers({ ...account, fileId, createdAt, executionDay: day, transfers });
  const { sealed, keyId } = dataKeys.seal(content, contextOfFile(operatorId, fileId));
  await transaction.query({
    name: 'payout-file-insert',
    text: `insert into payout_file (operator_id, id, connection_id, version, transfers, currency, total, execution_day, is_instant, hash,
        sealed, key_id) values ($1, $2, $3, $4, $5, 'EUR', $6, $7, $8, $9, $10, $11)`,
    values: [
      operatorId,
      fileId,
      connectionId,
      account.version,
      transfers.length,
      controlSum(transfers),
      day,
      account.isInstant,
      createHash('sha256').update(content).digest(),
      sealed,
      keyId,
    ],
  });
  const ids = transfers.map(({ withdrawalId }) => withdrawalId);
  await transaction.query({
    name: 'payout-file-lines',
    text: `insert into payout_file_line (operator_id, file_id, n, withdrawal_id, amount)
      select $1, $2, n, id, amount from unnest($3::uuid[], $4::bigint[]) with ordinality line(id, amount, n)`,
    values: [operatorId, fileId, ids, transfers.map(({ amountMinor }) => amountMinor)],
  });
  const filed = await transaction.query({
    name: 'payout-transfers-filed',
    text: `update payout_transfer set state = 'filed', file_id = $2, due_at = null
      where operator_id = $1 and withdrawal_id = any($3::uuid[]) and ${waiting} returning 1`,
    values: [operatorId, fileId, ids],
  });
  if (filed.length !== transfers.length) throw new Error('A transfer of the file was taken meanwhile');
  failpoint?.('payout-file-uncommitted');
}

/** A connection that cannot be opened must not keep the worker busy, so its transfers become due later. */
async function putOff({ database }: BuildPorts, { operatorId, connectionId }: DueConnection): Promise<void> {
  await database.query({
    name: 'payout-transfers-put-off',
    text: `update payout_transfer set due_at = now() + make_interval(secs => $3)
      where operator_id = $1 and connection_id = $2 and ${waiting} and due_at <= now()`,
    values: [operatorId, connectionId, AGAIN_AFTER_S],
  });
}
