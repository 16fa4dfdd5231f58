/** The deletion of old telemetry from partitions that also hold younger rows. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { forgetOldRows } from './retention.ts';

let opened: TestDatabase;
let database: Database;
beforeEach(async () => {
  opened = await openTestDatabase();
  database = opened.database;
});
afterEach(() => opened.drop());

const run = (text: string) => database.query<object>({ text });

test('[NET-8] an old row takes no young row of another partition that has the same ctid', async () => {
  await run(`do $$ declare part record; begin
    for part in select name from time_partition where parent = 'telemetry_event' loop execute format('drop table %I', part.name); end loop;
    for part in select today - 60 as since, today - 10 as until from (select (now() at time zone 'UTC')::date as today) day
      union all select today - 10, today + 30 from (select (now() at time zone 'UTC')::date as today) day
    loop
      execute format('create table %I partition of telemetry_event for values from (%L) to (%L)',
        'telemetry_event_' || part.since, part.since, part.until);
    end loop;
  end $$`);
  await run(`insert into telemetry_event (day, source, key)
    select (now() at time zone 'UTC')::date - days, 'events', 'page.load' from unnest(array[31, 30, 0]) as days`);
  expect(await run(`select ctid from telemetry_event where ctid = '(0,1)'`)).toHaveLength(2);
  await forgetOldRows(database).claim([]);
  expect(await run(`select (now() at time zone 'UTC')::date - day as age from telemetry_event order by age`)).toEqual([
    { age: 0 },
    { age: 30 },
  ]);
});
