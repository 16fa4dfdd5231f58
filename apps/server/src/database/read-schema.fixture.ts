/** Reads the schema from the database's own catalogue. */
import type { Queryable } from './database.ts';

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** Such as `default now()`; '' without a default. */
  readonly value: string;
}

export interface Constraint {
  readonly name: string;
  readonly kind: 'p' | 'u' | 'f' | 'c';
  readonly columns: readonly string[];
  /** The table of a foreign key. */
  readonly target: string | null;
  readonly definition: string;
}

export interface Table {
  readonly name: string;
  readonly comment: string | null;
  /** Such as `RANGE (day)`; null: the table is in one piece. */
  readonly partitionKey: string | null;
  readonly columns: readonly Column[];
  readonly constraints: readonly Constraint[];
  /** Statements, without the indexes of constraints. */
  readonly indexes: readonly string[];
  readonly triggers: readonly string[];
  /** Only of tables whose rows are part of the schema. */
  readonly rows: readonly string[];
}

export interface DatabaseSchema {
  readonly tables: readonly Table[];
  readonly views: readonly string[];
  readonly functions: readonly string[];
}

/** Tables with rows that the application needs, as it needs their columns. */
const REFERENCE = [
  'deposit_state',
  'deposit_transition',
  'payment_transition',
  'refund_transition',
  'payout_transition',
  'withdrawal_state',
  'withdrawal_transition',
  'journal_kind',
];

/** Kinds of constraints in the order of the page. Other kinds exist only on some servers and are not ours. */
const CONSTRAINTS = ['p', 'u', 'f', 'c'];

/** Reads tables, views and functions of the schema of the connection. */
export async function readSchema(database: Queryable): Promise<DatabaseSchema> {
  const names = await database.query<Pick<Table, 'name' | 'comment' | 'partitionKey'>>({
    // The partitions follow from their table and the time.
    text: `select relname as name, obj_description(oid, 'pg_class') as comment, pg_get_partkeydef(oid) as "partitionKey"
      from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      order by relname collate "C"`,
  });
  const tables: Table[] = [];
  for (const table of names) tables.push({ ...table, ...(await readTable(database, table.name)) });
  const functions = await statements(
    database,
    `select pg_get_functiondef(oid) as statement from pg_proc where pronamespace = current_schema()::regnamespace
      order by proname collate "C"`,
  );
  const views = await statements(
    database,
    `select 'create view ' || relname || ' as ' || pg_get_viewdef(oid) as statement from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'v' order by relname collate "C"`,
  );
  return { tables, views, functions };
}

async function readTable(
  database: Queryable,
  table: string,
): Promise<Omit<Table, 'name' | 'comment' | 'partitionKey'>> {
  const values = [table];
  const columns = await database.query<Column>({
    text: `select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as "isRequired",
        case when attidentity = 'a' then 'generated always as identity'
          else coalesce('default ' || pg_get_expr(adbin, adrelid), '') end as value
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    values,
  });
  const constraints = await database.query<Constraint>({
    text: `select conname as name, contype as kind, confrelid::regclass::text as target,
        (select array_agg(attname::text order by place) from unnest(conkey) with ordinality as key(number, place)
          join pg_attribute on attrelid = conrelid and attnum = number) as columns,
        pg_get_constraintdef(oid, true) as definition
      from pg_constraint where conrelid = $1::regclass and contype::text = any($2) and conparentid = 0
      order by array_position($2, contype::text), conname collate "C"`,
    values: [table, CONSTRAINTS],
  });
  const indexes = await statements(
    database,
    `select pg_get_indexdef(indexrelid) as statement from pg_index join pg_class on pg_class.oid = indexrelid
      where indrelid = $1::regclass and not exists (select 1 from pg_constraint where conindid = indexrelid)
      order by relname collate "C"`,
    values,
  );
  const triggers = await statements(
    database,
    `select pg_get_triggerdef(oid, true) as statement from pg_trigger
      where tgrelid = $1::regclass and not tgisinternal order by tgname collate "C"`,
    values,
  );
  const rows = REFERENCE.includes(table)
    ? await statements(database, `select line::text as statement from ${table} line order by line::text collate "C"`)
    : [];
  return { columns, constraints, indexes, triggers, rows };
}

/** Removes the schema's name, because all tables of the cashier are in the same schema. */
async function statements(database: Queryable, text: string, values: readonly unknown[] = []): Promise<string[]> {
  const rows = await database.query<{ statement: string; schema: string }>({
    text: `select statement, current_schema() as schema from (${text}) found`,
    values: [...values],
  });
  return rows.map(({ statement, schema }) => statement.replaceAll(` ${schema}.`, ' ').trim());
}
