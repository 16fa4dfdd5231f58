/** An upgrade of a database in use: the baseline, its rows, and each migration with its rows. */
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { type SchemaFile, schema } from './schema-files.ts';

const files = import.meta.glob<string>('./filled/*.sql', { query: '?raw', import: 'default', eager: true });

/** Rows by the file after which they are inserted: `baseline`, or the name of a migration. */
const rowsAfter: ReadonlyMap<string, string> = new Map(
  Object.entries(files).map(([path, sql]) => [path.replace(/^.*\/(.+)\.sql$/, '$1'), sql]),
);

/** Files in `filled/` whose migration is missing or has another name. */
export const strayRows: readonly string[] = [...rowsAfter.keys()].filter(
  (name) => name !== 'baseline' && !schema.migrations.some((migration) => migration.name === name),
);

/** Fills an empty database with the baseline and its rows, then applies the migrations one by one. */
export async function migrateFilled(
  database: Database,
  migrations: readonly SchemaFile[] = schema.migrations,
): Promise<void> {
  await migrate(database, { ...schema, migrations: [] });
  await insertRows(database, 'baseline');
  for (const [n, { name }] of migrations.entries()) {
    await migrate(database, { ...schema, migrations: migrations.slice(0, n + 1) });
    await insertRows(database, name);
  }
}

/** In one transaction, because the ledger rules are checked at the commit. */
async function insertRows(database: Database, name: string): Promise<void> {
  const text = rowsAfter.get(name);
  if (text !== undefined) await database.transaction((transaction) => transaction.query({ text }));
}

/** The tables of a database without a row. */
export async function emptyTables(database: Database): Promise<string[]> {
  const empty: string[] = [];
  for (const table of await tablesOf(database)) {
    if ((await database.query({ text: `select 1 from ${table} limit 1` })).length === 0) empty.push(table);
  }
  return empty;
}

/** All tables, without the one whose rows never outlive their transaction. */
export async function tablesOf(database: Database): Promise<string[]> {
  const rows = await database.query<{ name: string }>({
    text: `select quote_ident(relname) as name from pg_class where relnamespace = current_schema()::regnamespace
      and relkind in ('r', 'p') and not relispartition and relname <> 'commit_check' order by 1`,
  });
  return rows.map(({ name }) => name);
}
