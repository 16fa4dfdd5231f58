/** The payout files and transfers of an operator, as the operator API shows them. No view has a payee. */
import type {
  PayoutFilePage,
  PayoutFileQuery,
  PayoutFileView,
  PayoutTransferPage,
  PayoutTransferQuery,
} from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { endToEndIdOf, messageIdOf } from '@opencashier/core/sepa/payment-references';
import type { Queryable } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { idAlone, pagedList } from '../requests/page-cursor.ts';

export type { PayoutFileView };

const fileList = pagedList('payout-files', idAlone);
const transferList = pagedList('payout-transfers', idAlone);

interface FileRow {
  readonly fileId: string;
  readonly connectionId: string;
  readonly version: PayoutFileView['version'];
  readonly state: PayoutFileView['state'];
  readonly transfers: number;
  readonly open: number;
  readonly currency: string;
  readonly total: bigint;
  readonly executionDay: string;
  readonly isInstant: boolean;
  readonly hash: Uint8Array;
  readonly built: Date;
  readonly downloadedBy: string | null;
  readonly handedBy: string | null;
  readonly takes: readonly FileTake[] | null;
}

interface FileTake {
  readonly staff: string;
  /** Seconds since 1970. */
  readonly first: number;
  readonly last: number;
  readonly times: number;
}

/** People of a file that a view lists. */
const MOST_PEOPLE = 50;

/**
 * All downloads of the file $2 of the operator $1. A file that an older version of the cashier gave out has the first one in its own columns
 * alone. Elsewhere both are from one moment, so the union has them once.
 */
export const TAKES_OF_FILE = `select by, key_id, at from payout_file_take where operator_id = $1 and file_id = $2
  union select downloaded_by, downloaded_key, downloaded_at from payout_file
    where operator_id = $1 and id = $2 and downloaded_by is not null`;

const COLUMNS = `id as "fileId", connection_id as "connectionId", version, state, transfers, currency, total, execution_day::text as "executionDay",
  is_instant as "isInstant", hash, built_at as built, downloaded_by as "downloadedBy", handed_by as "handedBy",
  (select count(*)::int from payout_transfer one where one.operator_id = $1 and one.file_id = file.id and one.state = 'filed') as open,
  (select json_agg(person order by person.first) from (
    select (array_agg(by order by at))[1] as staff, extract(epoch from min(at))::float8 as first, extract(epoch from max(at))::float8 as last,
      count(*)::int as times
    from (${TAKES_OF_FILE.replaceAll('$2', 'file.id')}) take group by lower(by) order by min(at) limit ${MOST_PEOPLE}) person) as takes`;

/** The newest first. */
export async function filePage(
  queryable: Queryable,
  operatorId: string,
  { state, limit, cursor }: PayoutFileQuery,
): Promise<PayoutFilePage> {
  const after = fileList.placeOf(cursor);
  const rows = await queryable.query<FileRow>({
    text: `select ${COLUMNS} from payout_file file where operator_id = $1 and ($2::text is null or state = $2)
      and ($3::uuid is null or id < $3) order by id desc limit $4`,
    values: [operatorId, state ?? null, after?.id ?? null, limit + 1],
  });
  const { page, next } = fileList.pageOf(rows, limit, ({ fileId }) => ({ id: fileId }));
  return { files: page.map(viewOf), ...next };
}

/** @throws DomainError not-found */
export async function fileView(queryable: Queryable, operatorId: string, fileId: string): Promise<PayoutFileView> {
  const [row] = await queryable.query<FileRow>({
    text: `select ${COLUMNS} from payout_file file where operator_id = $1 and id = $2`,
    values: [operatorId, fileId],
  });
  if (row === undefined) throw new DomainError('not-found', 'There is no such payout file.');
  return viewOf(row);
}

const instant = (epochS: number): string => new Date(epochS * 1000).toISOString();

function viewOf({ hash, total, built, downloadedBy, handedBy, takes, ...row }: FileRow): PayoutFileView {
  return {
    ...row,
    messageId: messageIdOf(row.fileId),
    total: toDecimalString(total, decimalsOf(row.currency)),
    hash: Buffer.from(hash).toString('hex'),
    built: built.toISOString(),
    ...(downloadedBy !== null && { downloadedBy }),
    ...(handedBy !== null && { handedBy }),
    takes: (takes ?? []).map(({ staff, first, last, times }) => ({
      staff,
      first: instant(first),
      last: instant(last),
      times,
    })),
  };
}

interface TransferRow {
  readonly withdrawalId: string;
  readonly state: PayoutTransferPage['transfers'][number]['state'];
  readonly fileId: string | null;
  readonly currency: string;
  readonly amount: bigint;
  readonly reason: string | null;
  readonly payeeCheck: PayoutTransferPage['transfers'][number]['payeeCheck'] | null;
  readonly changed: Date;
}

/** In the order of their withdrawals' ids. */
export async function transferPage(
  queryable: Queryable,
  operatorId: string,
  { state, fileId: file, limit, cursor }: PayoutTransferQuery,
): Promise<PayoutTransferPage> {
  const after = transferList.placeOf(cursor);
  const rows = await queryable.query<TransferRow>({
    text: `select withdrawal_id as "withdrawalId", state, file_id as "fileId", currency, amount, reason, changed_at as changed,
        (select request ->> 'payeeCheck' from withdrawal where withdrawal.operator_id = $1 and withdrawal.id = withdrawal_id) as "payeeCheck"
      from payout_transfer where operator_id = $1 and ($2::text is null or state = $2) and ($3::uuid is null or file_id = $3)
        and ($4::uuid is null or withdrawal_id > $4) order by withdrawal_id limit $5`,
    values: [operatorId, state ?? null, file ?? null, after?.id ?? null, limit + 1],
  });
  const { page, next } = transferList.pageOf(rows, limit, ({ withdrawalId }) => ({ id: withdrawalId }));
  const transfers = page.map(({ withdrawalId, fileId, amount, reason, payeeCheck, changed, ...row }) => ({
    ...row,
    withdrawalId,
    reference: endToEndIdOf(withdrawalId),
    amount: toDecimalString(amount, decimalsOf(row.currency)),
    ...(fileId !== null && { fileId }),
    ...(reason !== null && { reason }),
    ...(payeeCheck !== null && payeeCheck !== undefined && { payeeCheck }),
    changed: changed.toISOString(),
  }));
  return { transfers, ...next };
}
