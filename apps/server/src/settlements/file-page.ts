/** The imported files of an operator, as the operator API shows them. */
import type {
  SettlementFilePage,
  SettlementFileQuery,
  SettlementFileView,
  TakeBackView,
} from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Queryable } from '../database/database.ts';
import { idAlone, pagedList } from '../requests/page-cursor.ts';
import type { Scan } from './scan-file.ts';

const fileList = pagedList('settlement-files', idAlone);

interface FileRow {
  readonly fileId: string;
  readonly provider: string;
  readonly mapping: string;
  readonly name: string;
  readonly state: 'matching' | 'done' | 'taken-back';
  readonly hash: Uint8Array;
  readonly lines: number;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly totals: readonly { readonly currency: string; readonly amount: string; readonly fees: string }[];
  readonly matched: number;
  readonly mismatches: Readonly<Record<string, number>> | null;
  readonly by: string;
  readonly at: Date;
  readonly takeBacks: readonly TakeBackView[] | null;
}

/** As the operator API writes a moment. */
function instant(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

const COLUMNS = `id as "fileId", provider, mapping, name, state, hash, lines, first_day::text as "firstDay", last_day::text as "lastDay",
  totals, matched, by, at, (select jsonb_object_agg(class, count) from (select class, count(*)::int as count from settlement_mismatch
    where operator_id = $1 and file_id = file.id group by class) counted) as mismatches,
  (select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('takeBackId', id, 'state', state, 'reason', reason, 'proposedBy', proposed_by,
    'proposed', ${instant('proposed_at')}, 'decidedBy', decided_by, 'decided', ${instant('decided_at')})) order by proposed_at, id)
    from settlement_take_back where operator_id = $1 and file_id = file.id) as "takeBacks"`;

/** Newest first. */
export async function filePage(
  queryable: Queryable,
  operatorId: string,
  { provider, limit, cursor }: SettlementFileQuery,
): Promise<SettlementFilePage> {
  const after = fileList.placeOf(cursor);
  const rows = await queryable.query<FileRow>({
    text: `select ${COLUMNS} from settlement_file file where operator_id = $1 and state in ('done', 'taken-back') and ($2::text is null or provider = $2)
        and ($3::uuid is null or id < $3)
      order by id desc limit $4`,
    values: [operatorId, provider ?? null, after?.id ?? null, limit + 1],
  });
  const { page, next } = fileList.pageOf(rows, limit, ({ fileId }) => ({ id: fileId }));
  return { files: page.map(viewOf), ...next };
}

export async function fileView(queryable: Queryable, operatorId: string, fileId: string): Promise<SettlementFileView> {
  const [row] = await queryable.query<FileRow>({
    text: `select ${COLUMNS} from settlement_file file where operator_id = $1 and id = $2`,
    values: [operatorId, fileId],
  });
  if (row === undefined) throw new Error(`There is no settlement file ${fileId}`);
  return viewOf(row);
}

/** What a file would be, without comparing it. */
export function dryRunView(
  { provider, mapping, name }: Pick<FileRow, 'provider' | 'mapping' | 'name'>,
  { hash, lines, firstDay, lastDay, totals }: Scan,
): SettlementFileView {
  return {
    provider,
    mapping,
    name,
    state: 'matching',
    hash: hash.toString('hex'),
    lines,
    firstDay,
    lastDay,
    totals: totals.map(totalView),
    matched: 0,
    mismatches: {},
  };
}

function viewOf({
  hash,
  firstDay,
  lastDay,
  totals,
  mismatches,
  by,
  at,
  takeBacks,
  ...row
}: FileRow): SettlementFileView {
  return {
    ...row,
    hash: Buffer.from(hash).toString('hex'),
    ...(firstDay !== null && { firstDay }),
    ...(lastDay !== null && { lastDay }),
    totals: totals.map(({ currency, amount, fees }) =>
      totalView({ currency, amount: BigInt(amount), fees: BigInt(fees) }),
    ),
    mismatches: mismatches ?? {},
    importedBy: by,
    imported: at.toISOString(),
    ...(takeBacks !== null && { takeBacks: [...takeBacks] }),
  };
}

function totalView({ currency, amount, fees }: Scan['totals'][number]): SettlementFileView['totals'][number] {
  const decimals = decimalsOf(currency);
  return { currency, amount: toDecimalString(amount, decimals), fees: toDecimalString(fees, decimals) };
}
