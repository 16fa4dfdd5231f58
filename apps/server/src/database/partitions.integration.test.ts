/** Partitions by time: who makes them, what guards them, and what is noticed when they are missing (docs/adr/0022). */
import { createTestClock } from '@opencashier/core/time/test-clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPartitionKeeper } from '../jobs/keep-partitions.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { fewestMonths, makePartitions, readCoverage } from './partitions.ts';
import { constraintOf } from './pool-database.ts';
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts';

let opened: TestDatabase;
let database: Database;
beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
  await database.query({
    text: `create table kept (id uuid primary key default time_id(), fact text not null, at timestamptz not null default now(),
        constraint kept_fact check (fact <> '')) partition by range (id);
      create trigger kept_immutable before update or delete on kept for each row execute function refuse_change();
      create trigger kept_not_truncated before truncate on kept for each statement execute function refuse_change()`,
  });
  await migrate(database);
});
afterAll(() => opened.drop());

const partitions = (parent = 'kept') =>
  database.query<{ name: string; since: Date; until: Date }>({
    text: 'select name, since, until from time_partition where parent = $1 order by since',
    values: [parent],
  });

test('a migration makes the partitions of this month and the next three, and nothing twice', async () => {
  const made = await partitions();
  const [now] = await database.query<{ month: Date; last: Date }>({
    text: `select date_trunc('month', now(), 'UTC') as month, date_trunc('month', now(), 'UTC') + interval '4 months' as last`,
  });
  if (now === undefined || made[0] === undefined) throw new Error('no partition');
  expect(made[0].since.getTime()).toBeLessThanOrEqual(now.month.getTime());
  expect(made.at(-1)?.until.getTime()).toBeGreaterThanOrEqual(now.last.getTime());
  for (const [n, { since }] of made.slice(1).entries()) expect(since).toEqual(made[n]?.until);
  if (database.kind === 'postgres') expect(made).toHaveLength(4);
  else expect(made.length).toBeLessThanOrEqual(2);
  expect(await makePartitions(database, database.kind)).toBe(0);
  expect(fewestMonths(await readCoverage(database))).toBeGreaterThanOrEqual(3);
});

test('an id begins with the time of its row, so a time finds its rows', async () => {
  const [row] = await database.query<{ id: string; isTime: boolean; isFound: boolean; part: string }>({
    text: `with stored as (insert into kept (fact) values ('x') returning id, at, tableoid)
      select id, time_of_id(id) = date_trunc('milliseconds', at) as "isTime", tableoid::regclass::text as part,
        id >= time_id_at(at) and id < time_id_at(at + interval '1 ms') as "isFound" from stored`,
  });
  expect(row).toMatchObject({ isTime: true, isFound: true });
  expect(row?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect((await partitions())[0]?.name).toBe(row?.part);
});

test('[SRV-2] triggers and checks of a table hold in each of its partitions, also for a statement that names the partition', async () => {
  await database.query({ text: `insert into kept (fact) values ('kept')` });
  const [first] = await partitions();
  for (const { name } of [{ name: 'kept' }, ...(await partitions())]) {
    await expect(database.query({ text: `truncate ${name}` }), name).rejects.toThrow('written once');
  }
  for (const text of [`update ${first?.name} set fact = 'other'`, `delete from ${first?.name}`]) {
    const refused = await database.query({ text }).then(() => undefined, constraintOf);
    expect(refused, text).toBe('ledger_immutable');
  }
  const empty = database.query({ text: `insert into kept (fact) values ('')` });
  await expect(empty).rejects.toMatchObject({ constraint: 'kept_fact' });
});

test('a partition goes into any gap, and other steps than before never overlap', async () => {
  const other = database.kind === 'postgres' ? 'year' : 'month';
  const extend = (from: string, upto: string, step: string) =>
    database.query({ text: `select extend_partitions('kept', $1, $2, $3)`, values: [from, upto, step] });
  await extend('2021-03-05T00:00:00Z', '2021-04-05T00:00:00Z', 'month');
  await extend('2021-01-01T00:00:00Z', '2021-12-31T00:00:00Z', 'year');
  const year = (await partitions()).filter(({ since }) => since.toISOString().startsWith('2021'));
  expect(
    year.map(({ name, since, until }) => [name, since.toISOString().slice(0, 7), until.toISOString().slice(0, 7)]),
  ).toEqual([
    ['kept_2021', '2021-01', '2021-03'],
    ['kept_2021_03', '2021-03', '2021-04'],
    ['kept_2021_04', '2021-04', '2021-05'],
    ['kept_2021_05', '2021-05', '2022-01'],
  ]);
  await database.query({ text: `select make_partitions($1)`, values: [other] });
  await expect(database.query({ text: `select make_partitions('day')` })).rejects.toThrow('a month or a year');
  for (const { name } of year) await database.query({ text: `drop table ${name}` });
});

test('[SRV-9] missing partitions are reported a day before, and a node is ready until the last minutes', async () => {
  const clock = createTestClock();
  const keeper = createPartitionKeeper(database, { clock, logger: { info: () => undefined } });
  expect([keeper.isCovered(), keeper.monthsAhead()]).toEqual([true, undefined]);
  await keeper.work.claim([]);
  expect(keeper.isCovered()).toBe(true);
  expect(keeper.monthsAhead()).toBeGreaterThanOrEqual(3);
  const minutes = ((await readCoverage(database)).find(({ table }) => table === 'kept')?.aheadMs ?? 0) / 60_000;
  clock.advance(Math.floor(minutes - 11) * 60_000);
  expect(keeper.isCovered()).toBe(true);
  clock.advance(2 * 60_000);
  expect(keeper.isCovered()).toBe(false);

  for (const { name } of await partitions()) await database.query({ text: `drop table ${name}` });
  await database.query({
    text: 'create or replace function make_partitions(every text) returns int language sql as $$ select 0 $$',
  });
  const [bounds] = await database.query<{ first: string; last: string }>({
    text: `select time_id_at(now() - interval '1 hour') as first, time_id_at(now() + interval '23 hours') as last`,
  });
  await database.query({
    text: `create table kept_day partition of kept for values from ('${bounds?.first}') to ('${bounds?.last}')`,
  });
  await expect(keeper.work.claim([])).rejects.toThrow('opencashier migrate');
  expect([keeper.isCovered(), keeper.monthsAhead()]).toEqual([true, 0]);

  await database.query({ text: 'drop table kept_day' });
  expect((await readCoverage(database)).find(({ table }) => table === 'kept')).toMatchObject({ months: 0, aheadMs: 0 });
  await expect(keeper.work.claim([])).rejects.toThrow('opencashier migrate');
  expect([keeper.isCovered(), keeper.monthsAhead()]).toEqual([false, 0]);
});
