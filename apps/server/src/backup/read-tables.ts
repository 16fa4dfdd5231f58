/** Reads a whole database in one snapshot: what there is, and every row as a line of JSON. */
import pg from 'pg';
import type { Queryable, Transaction } from '../database/database.ts';
import type { BackedUpPartition, BackedUpSequence, BackedUpTable, KeptTable, LedgerTotal } from './backup-format.ts';

/** Not part of a backup: the migrations make them, or no row outlives its transaction. */
const LEFT_OUT = ['schema_migration', 'schema_build', 'commit_check', 'durability_check'];
/** Rows at a time. A callback has up to 512 kB as hexadecimal text. */
const PAGE = 1_000;
const PAGE_OF_BYTES = 50;

interface FoundTable extends BackedUpTable {
  readonly hasBytes: boolean;
}

/** The SQL name of a table of a backup. */
export function placeOf(name: string): string {
  return name.split('.').map(pg.escapeIdentifier).join('.');
}

/** The tables of the database, by name. */
export async function tablesOf(queryable: Queryable): Promise<readonly FoundTable[]> {
  return await queryable.query<FoundTable>({
    text: `select case when space.nspname = 'archive' then 'archive.' else '' end || place.relname as name,
        array_agg(attribute.attname::text order by attribute.attnum) as columns,
        bool_or(attribute.atttypid = 'bytea'::regtype) as "hasBytes"
      from pg_class place join pg_namespace space on space.oid = place.relnamespace
        join pg_attribute attribute on attribute.attrelid = place.oid and attribute.attnum > 0
          and not attribute.attisdropped and attribute.attgenerated = ''
      where (space.nspname = current_schema() or space.nspname = 'archive') and place.relkind in ('r', 'p')
        and not place.relispartition and place.relname <> all ($1)
      group by space.nspname, place.relname order by 1`,
    values: [LEFT_OUT],
  });
}

/** Holds off everything that removes or changes a table, as `pg_dump` does. Before the first query, so that the snapshot comes after. */
export async function lockTables(transaction: Transaction, tables: readonly BackedUpTable[]): Promise<void> {
  if (tables.length === 0) return;
  const text = `lock table ${tables.map(({ name }) => placeOf(name)).join(', ')} in access share mode`;
  await transaction.query({ text });
}

/** The rows of a table, page by page, in no order. Each is a line of JSON. Times are of UTC if the transaction's time zone is. */
export async function* rowsOf(
  transaction: Transaction,
  { name, columns, hasBytes }: FoundTable,
): AsyncGenerator<readonly string[]> {
  // A generated column is no part of a row. It would be refused at the restore.
  const list = columns.map((column) => `stored.${pg.escapeIdentifier(column)}`).join(', ');
  await transaction.query({
    text: `declare backed_up no scroll cursor for
      select to_jsonb(line)::text as line from (select ${list} from ${placeOf(name)} stored) line`,
  });
  for (;;) {
    const page = await transaction.query<{ line: string }>({
      text: `fetch ${hasBytes ? PAGE_OF_BYTES : PAGE} from backed_up`,
    });
    if (page.length === 0) break;
    yield page.map(({ line }) => line);
  }
  await transaction.query({ text: 'close backed_up' });
}

export async function partitionsOf(queryable: Queryable): Promise<BackedUpPartition[]> {
  const rows = await queryable.query<{ parent: string; name: string; since: Date; until: Date }>({
    text: 'select parent, name, since, until from time_partition order by parent, since',
  });
  return rows.map(({ since, until, ...names }) => ({
    ...names,
    since: since.toISOString(),
    until: until.toISOString(),
  }));
}

/** The last values of the sequences. They are read after the snapshot began, so they are never too low for its rows. */
export async function sequencesOf(queryable: Queryable): Promise<BackedUpSequence[]> {
  return await queryable.query<BackedUpSequence>({
    text: `select place.relname::text as name, pg_sequence_last_value(place.oid)::text as last from pg_class place
      where relkind = 'S' and relnamespace = current_schema()::regnamespace order by 1`,
  });
}

/** Tables in the schema `archive`, which `archive --keep` has left there. */
export async function keptTablesOf(queryable: Queryable): Promise<KeptTable[]> {
  return await queryable.query<KeptTable>({
    text: `select name, parent from archived_partition join pg_class place on place.relname = name
      join pg_namespace space on space.oid = place.relnamespace and space.nspname = 'archive' order by name`,
  });
}

/** All money, by asset and kind of account. */
export async function totalsOf(queryable: Queryable): Promise<LedgerTotal[]> {
  return await queryable.query<LedgerTotal>({
    text: `with moved as (select operator_id, account_id, sum(amount) as sum from posting group by 1, 2)
      select account.asset, account.kind, count(*)::int as accounts, sum(account.balance)::text as balance,
        coalesce(sum(moved.sum), 0)::text as postings
      from account left join moved on moved.operator_id = account.operator_id and moved.account_id = account.id
      group by 1, 2 order by 1, 2`,
  });
}
