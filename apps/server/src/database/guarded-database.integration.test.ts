import { createTestClock, type TestClock } from '@opencashier/core/time/test-clock';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from './database.ts';
import { guardDatabase, hasRoom } from './guarded-database.ts';
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts';

/** PostgreSQL's error when it cannot grow a file. */
const noSpace = `do $$ begin
  raise exception 'could not extend file "base/5/16384": No space left on device' using errcode = '53100';
end $$`;

let opened: TestDatabase;
let isFull: boolean;
let isAway: boolean;
let clock: TestClock;
let guarded: Database;
const logger = { info: vi.fn(), error: vi.fn() };

beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.drop());

beforeEach(() => {
  isFull = false;
  isAway = false;
  clock = createTestClock();
  const { database } = opened;
  const disk: Database = {
    ...database,
    transaction: (work) =>
      database.transaction(async (transaction) => {
        if (isFull) await transaction.query({ text: noSpace });
        return work(transaction);
      }),
  };
  guarded = guardDatabase(disk, { isAway: () => isAway, clock, logger });
});

const write = () => guarded.transaction((transaction) => transaction.query({ text: 'select 1' }));
const readiness = () =>
  guarded.ping().then(
    () => 'ready',
    ({ reason }: { reason?: string }) => reason,
  );

test('[SRV-9] a database that is away refuses at once', async () => {
  isAway = true;
  for (const work of [write, () => guarded.query({ text: 'select 1' }), () => guarded.ping()]) {
    await expect(work()).rejects.toMatchObject({ reason: 'database-unavailable' });
  }
  isAway = false;
  expect(await readiness()).toBe('ready');
});

test('[SRV-9] a full disk is reported until a write succeeds; reads continue', async () => {
  expect(await readiness()).toBe('ready');
  isFull = true;
  await expect(write()).rejects.toMatchObject({ code: '53100' });
  expect(await readiness()).toBe('database-full');
  expect(await guarded.query({ text: 'select 1 as one' })).toEqual([{ one: 1 }]);
  await clock.advanceAsync(5_000);
  await expect.poll(() => clock.pending()).toBe(1);
  expect(await readiness()).toBe('database-full');
  isFull = false;
  await clock.advanceAsync(5_000);
  await expect.poll(readiness).toBe('ready');
  expect(clock.pending()).toBe(0);
  expect(logger.error).toHaveBeenCalledWith({}, 'the disk of the database is full');
});

test('[SRV-9] the check for room is a write that leaves nothing behind', async () => {
  const { database } = opened;
  expect(await hasRoom(database)).toBe(true);
  expect(await hasRoom(database)).toBe(true);
  isFull = true;
  expect(await hasRoom(guarded)).toBe(false);
  const left = await database.query({ text: `select 1 from pg_class where relname = 'room_for_data'` });
  expect(left).toEqual([]);
});

test('[SRV-9] a hanging database does not prevent closing it', async () => {
  let end = (): void => undefined;
  const hanging: Database = {
    ...opened.database,
    close: () =>
      new Promise((resolve) => {
        end = resolve;
      }),
  };
  const closed = guardDatabase(hanging, { clock, logger, cut: () => end() }).close();
  await clock.advanceAsync(1_000);
  await closed;
  expect(clock.pending()).toBe(0);
});
