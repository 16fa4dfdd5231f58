/** The mismatches of an operator, as the operator API shows them. */
import type { MismatchPage, MismatchQuery, MismatchView } from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Queryable } from '../database/database.ts';
import { idAlone, pagedList } from '../requests/page-cursor.ts';

const mismatchList = pagedList('settlement-mismatches', idAlone);

interface MismatchRow {
  readonly mismatchId: string;
  readonly class: MismatchView['class'];
  readonly state: MismatchView['state'];
  readonly provider: string;
  readonly fileId: string;
  readonly line: number | null;
  readonly kind: string | null;
  readonly reference: string | null;
  readonly entryId: string | null;
  readonly currency: string;
  readonly expected: bigint;
  readonly found: bigint;
  readonly day: string;
  readonly since: Date;
  readonly ageDays: number;
}

/** Oldest first. */
export async function mismatchPage(
  queryable: Queryable,
  operatorId: string,
  { state, class: name, provider, fileId, limit, cursor }: MismatchQuery,
): Promise<MismatchPage> {
  const after = mismatchList.placeOf(cursor);
  const rows = await queryable.query<MismatchRow>({
    text: `select mismatch.id as "mismatchId", mismatch.class, mismatch.state, mismatch.provider, mismatch.file_id as "fileId",
        line.n as line, coalesce(mismatch.entry_kind, line.kind) as kind, coalesce(batch.reference, line.reference_list[1], entry.reference, balance.chain) as reference,
        mismatch.entry_id as "entryId", mismatch.currency, mismatch.expected, mismatch.found, mismatch.day::text as day,
        time_of_id(mismatch.id) as since, extract(day from now() - time_of_id(mismatch.id))::int as "ageDays"
      from (select mismatch.* from settlement_mismatch mismatch join settlement_file file
          on file.operator_id = $1 and file.id = mismatch.file_id and file.state in ('done', 'taken-back')
        where mismatch.operator_id = $1 and (mismatch.state = $2 or $2::text is null and mismatch.state <> 'taken-back') and ($3::text is null or class = $3)
          and ($4::text is null or mismatch.provider = $4) and ($5::uuid is null or file_id = $5) and ($6::uuid is null or mismatch.id > $6)
        order by mismatch.id limit $7) mismatch
      left join settlement_line line on line.operator_id = $1 and line.id = mismatch.line_id
      left join lateral (select reference from settlement_entry entry where entry.operator_id = $1 and entry.id = mismatch.entry_id
        and entry.kind = mismatch.entry_kind and mismatch.line_id is null limit 1) entry on true
      left join settlement_batch batch on batch.operator_id = $1 and batch.id = mismatch.entry_id and mismatch.entry_kind = 'settlement'
      left join chain_balance balance on balance.operator_id = $1 and balance.id = mismatch.entry_id and mismatch.class = 'balance'
      order by mismatch.id`,
    values: [operatorId, state ?? null, name ?? null, provider ?? null, fileId ?? null, after?.id ?? null, limit + 1],
  });
  const { page, next } = mismatchList.pageOf(rows, limit, ({ mismatchId }) => ({ id: mismatchId }));
  return { mismatches: page.map(viewOf), ...next };
}

function viewOf({ line, kind, reference, entryId, expected, found, since, ...row }: MismatchRow): MismatchView {
  const written = (minor: bigint): string => toDecimalString(minor, decimalsOf(row.currency));
  return {
    ...row,
    ...(line !== null && { line }),
    kind: kind ?? 'payment',
    ...(reference !== null && { reference }),
    ...(entryId !== null && { entryId }),
    expected: written(expected),
    found: written(found),
    since: since.toISOString(),
  };
}
