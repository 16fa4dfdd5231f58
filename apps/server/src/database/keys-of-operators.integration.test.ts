/**
 * Every key of an operator's table begins with the operator (docs/scale.md). So the rows of one operator, and what refers to them, can be
 * moved to a database of their own.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import { openEmptyTestDatabase, type TestDatabase } from './testing/test-database.ts';

/** The tables of the whole service, each with the reason. Every other table belongs to operators. */
const OF_THE_SERVICE: Readonly<Record<string, string>> = {
  operator: 'the operators themselves',
  operator_api_key: 'a key is looked up before its operator is known',
  webhook_inbox: 'a callback is stored unread, so its operator is not known',
  inbox_key: 'a callback is known by its source and its number, before it is read',
  inbox_queue: 'a callback waits to be read, and leaves then',
  deposit_event: 'a report may come before its deposit is known',
  withdrawal_event: 'a report may come before its withdrawal is known',
  event_body: 'what a provider wrote in such a report',
  outbox: 'the pushes of all operators are sent by one worker, and leave then',
  bounce: 'a browser comes back with a token only, and the row leaves after minutes',
  captcha_use: 'a captcha is used once in the whole service',
  telemetry_event: 'anonymous numbers of widgets, some of no operator, without a key',
  crypto_chain: 'a chain is read once for all operators',
  crypto_coin: 'a coin of a wallet that all operators share',
  crypto_series: 'the addresses of all operators come from one wallet',
  crypto_address: 'a block names an address, not an operator',
  crypto_output: 'a block names an output, not an operator',
  crypto_balance: 'a node names an address, not an operator',
  chain_sum_point: 'which assets of chains were counted, for all operators',
  chain_sum_correction: 'a recount is about a chain, with the sums of all its operators',
  coin_wallet: 'a hot wallet pays for all operators',
  shared_balance: 'all operators share these wallets, and nobody can say whose coins a difference is',
  shared_acceptance: 'all operators share these wallets, and the staff of the installation decide',
  coin_wallet_acceptance: 'a hot wallet pays for all operators',
  coin_slot: 'a nonce, an output or a transaction of a wallet is used once in the whole service',
  sandbox_payment: 'the books of the sandbox provider, which is a stranger',
  sandbox_payout: 'the books of the sandbox provider, which is a stranger',
  sandbox_rates: 'the books of the sandbox provider, which is a stranger',
  sandbox_callback: 'the books of the sandbox provider, which is a stranger',
  archived_partition: 'the months of this database that have left',
  metric_snapshot: 'the numbers of the whole service, one row',
  maintenance_run: 'the audits and backups of this database',
  clock_move: 'the time of a whole sandbox',
  commit_check: 'no row outlives its transaction',
  schema_migration: 'the migrations of this database',
  schema_build: 'the builds that migrated this database',
};
/** The tables of states, moves and kinds, which every database has. */
const CONSTANTS = /_(state|transition|kind)$/;
const isOfService = (table: string): boolean => table in OF_THE_SERVICE || CONSTANTS.test(table);

/** Keys that end with the operator. A callback knows only their beginning, and one index serves both. */
const SEARCHED_BY_CALLBACKS: Readonly<Record<string, string>> = {
  deposit_pkey: 'a report names the id of a deposit',
  withdrawal_pkey: 'a report names the id of a withdrawal',
  deposit_provider_ref_once: 'a report names the reference of a deposit',
  payment_reported_once: 'a payment of one operator is never a payment of another',
};

interface Key {
  readonly table: string;
  readonly name: string;
  readonly kind: 'primary' | 'unique' | 'foreign';
  readonly columns: readonly string[];
  /** The table of a foreign key. */
  readonly target: string | null;
}

let opened: TestDatabase;
let keys: readonly Key[];
let tables: readonly { readonly name: string; readonly isOfOperator: boolean }[];
beforeAll(async () => {
  opened = await openEmptyTestDatabase();
  const { database } = opened;
  await migrate(database);
  // Partitions have the keys of their table.
  keys = await database.query<Key>({
    text: `select place.relname as table, conname as name,
        case contype when 'p' then 'primary' when 'u' then 'unique' else 'foreign' end as kind,
        array(select attname::text from unnest(conkey) with ordinality part(at, n)
          join pg_attribute on attrelid = conrelid and attnum = part.at order by part.n) as columns,
        (select relname from pg_class where pg_class.oid = confrelid) as target
      from pg_constraint join pg_class place on place.oid = conrelid
      where relnamespace = current_schema()::regnamespace and not relispartition and contype in ('p', 'u', 'f')
      union all
      select place.relname, indexes.relname, 'unique',
        array(select pg_get_indexdef(indexrelid, n, true) from generate_series(1, indnkeyatts) n order by n), null
      from pg_index join pg_class place on place.oid = indrelid join pg_class indexes on indexes.oid = indexrelid
      where place.relnamespace = current_schema()::regnamespace and not place.relispartition and indisunique
        and not exists (select 1 from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
      order by 1, 2`,
  });
  tables = await database.query({
    text: `select relname as name, exists (select 1 from pg_attribute
          where attrelid = pg_class.oid and attname = 'operator_id' and attnotnull) as "isOfOperator"
      from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      order by relname collate "C"`,
  });
});
afterAll(() => opened.drop());

const ofOperators = (): readonly Key[] => keys.filter(({ table }) => !isOfService(table));
const shown = ({ table, name, columns }: Key): string => `${table}: ${name} (${columns.join(', ')})`;

test('every table has its operator, or is a table of the whole service with a reason', () => {
  const unknown = tables.filter(({ name, isOfOperator }) => !isOfOperator && !isOfService(name));
  expect(unknown.map(({ name }) => name)).toEqual([]);
  const gone = Object.keys(OF_THE_SERVICE).filter((name) => !tables.some((table) => table.name === name));
  expect(gone).toEqual([]);
});

test('every table of an operator has a primary key', () => {
  const keyed = new Set(keys.filter(({ kind }) => kind === 'primary').map(({ table }) => table));
  expect(tables.filter(({ name }) => !isOfService(name) && !keyed.has(name)).map(({ name }) => name)).toEqual([]);
});

test('every primary key, unique key and reference of an operator’s table begins with the operator', () => {
  const isExcused = ({ name, target }: Key): boolean =>
    name in SEARCHED_BY_CALLBACKS || (target !== null && CONSTANTS.test(target));
  const wrong = ofOperators().filter((key) => key.columns[0] !== 'operator_id' && !isExcused(key));
  expect(wrong.map(shown)).toEqual([]);
});

test('a key that callbacks search without the operator ends with the operator', () => {
  const found = keys.filter(({ name }) => name in SEARCHED_BY_CALLBACKS);
  expect(found.filter(({ columns }) => columns.at(-1) !== 'operator_id').map(shown)).toEqual([]);
  expect(found.map(({ name }) => name).sort()).toEqual(Object.keys(SEARCHED_BY_CALLBACKS).sort());
});

test('an operator’s table refers to no table of the whole service, except to its operator and to constants', () => {
  const out = ofOperators().filter(
    ({ target }) => target !== null && target !== 'operator' && target in OF_THE_SERVICE,
  );
  expect(out.map((key) => `${shown(key)} → ${key.target}`)).toEqual([]);
});
