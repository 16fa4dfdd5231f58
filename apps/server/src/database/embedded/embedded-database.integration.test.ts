import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../connection/open-database.ts';
import type { Database } from '../database.ts';
import { silentLogger } from '../testing/test-database.ts';
import { MOST_LOG_BYTES } from './checkpoints.ts';
import { startEmbeddedServer } from './embedded-database.ts';
import { FolderInUseError, lockFolder } from './folder-lock.ts';
import { openEmbedded } from './open-embedded.ts';

let folder: string;
const children: ChildProcess[] = [];
const databases: Database[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cashier-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const database of databases.splice(0)) await database.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(dataDir = folder): Promise<Database> {
  const database = await openEmbedded({ dataDir, logger: silentLogger });
  databases.push(database);
  return database;
}

interface Writer {
  readonly child: ChildProcess;
  /** The highest row number that the process acknowledged. */
  acknowledged(): number;
  readonly exited: Promise<void>;
}

/** Starts the writer and waits until it has written some rows. */
async function startWriter(): Promise<Writer> {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const script = fileURLToPath(new URL('./crashing-writer.fixture.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', loader, script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const acknowledged = (): number => Number(output.split('\n').at(-2) ?? 0) || 0;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await expect.poll(acknowledged, { timeout: 40_000 }).toBeGreaterThan(20);
  return { child, acknowledged, exited };
}

test('[SRV-7] after kill -9 every acknowledged row exists, and the folder can be opened again', async () => {
  for (let round = 0; round < 2; round += 1) {
    const writer = await startWriter();
    await expect(open()).rejects.toBeInstanceOf(FolderInUseError);
    writer.child.kill('SIGKILL');
    await writer.exited;
    const database = await open();
    const [row] = await database.query<{ count: number }>({ text: 'select count(*)::int as count from written' });
    expect(row?.count).toBeGreaterThanOrEqual(writer.acknowledged());
    await database.query({ text: 'truncate written' });
    await database.close();
  }
});

/** The bytes of the log that a start would read if the process were killed now. */
async function logAfterCheckpoint(database: Database): Promise<number> {
  const [log] = await database.query<{ bytes: number }>({
    text: `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()`,
  });
  return log?.bytes ?? Number.NaN;
}

const writeMegabyte = (database: Database): Promise<unknown> =>
  database.query({ text: `select pg_logical_emit_message(true, 'filler', repeat('x', 1024 * 1024))` });

test('[SRV-7] a start after kill -9 reads at most 64 MB of the log, because the server writes checkpoints', async () => {
  const clock = createTestClock();
  const database = await openDatabase({ dataDir: folder, logger: silentLogger, clock });
  databases.push(database);
  await clock.advanceAsync(1_000);
  for (let written = 0; written < MOST_LOG_BYTES; written += 1024 * 1024) await writeMegabyte(database);
  expect(await logAfterCheckpoint(database)).toBeGreaterThan(MOST_LOG_BYTES);
  await clock.advanceAsync(1_000);
  await expect.poll(() => logAfterCheckpoint(database)).toBeLessThan(1024 * 1024);
  // A short log is left alone, because each checkpoint makes the next changes more expensive.
  await writeMegabyte(database);
  await clock.advanceAsync(5_000);
  expect(await logAfterCheckpoint(database)).toBeGreaterThan(1024 * 1024);
});

test('[SRV-7] a checkpoint waits for the transaction in progress, and a closed database has no timers', async () => {
  const clock = createTestClock();
  const database = await openEmbedded({ dataDir: folder, logger: silentLogger, clock, mostLogBytes: 0 });
  databases.push(database);
  await database.query({ text: 'create table one (n int primary key)' });
  const before = await logAfterCheckpoint(database);
  await database.transaction(async (transaction) => {
    await transaction.query({ text: 'insert into one values (1)' });
    await clock.advanceAsync(1_000);
    await transaction.query({ text: 'insert into one values (2)' });
    expect(await logAfterCheckpoint({ ...database, query: transaction.query })).toBeGreaterThan(before);
  });
  await expect.poll(() => logAfterCheckpoint(database)).toBeLessThan(before);
  expect(await database.query({ text: 'select n from one order by n' })).toEqual([{ n: 1 }, { n: 2 }]);
  await database.close();
  expect(clock.pending()).toBe(0);
});

/** What the embedded database knows about the rows of `one`. */
async function statisticsOfOne(
  database: Database,
): Promise<{ live: number; dead: number; unread: number } | undefined> {
  await database.query({ text: 'select pg_stat_force_next_flush()' });
  const [statistics] = await database.query<{ live: number; dead: number; unread: number }>({
    text: `select n_live_tup::int as live, n_dead_tup::int as dead, n_mod_since_analyze::int as unread
      from pg_stat_user_tables where relname = 'one'`,
  });
  return statistics;
}

test('statements find rows by their keys as a table fills, because the server keeps statistics and removes dead rows', async () => {
  const clock = createTestClock();
  const database = await openEmbedded({ dataDir: folder, logger: silentLogger, clock });
  databases.push(database);
  await database.query({ text: 'create table one (operator text, at int, id int, primary key (id, operator))' });
  await database.query({ text: 'create index one_listed on one (operator, at)' });
  const join = `explain select from unnest('{1,2}'::int[]) as asked(id) join one on one.id = asked.id and operator = 'op'`;
  const plan = async () => JSON.stringify(await database.query({ text: join }));
  await database.query({ text: `insert into one select 'op', n, n from generate_series(1, 1000) as n` });
  expect(await plan()).not.toContain('one_pkey');
  await statisticsOfOne(database);
  await clock.advanceAsync(5_000);
  await expect.poll(plan).toContain('one_pkey');
  await database.query({ text: 'update one set at = 0' });
  expect(await statisticsOfOne(database)).toMatchObject({ live: 1000, dead: 1000 });
  await clock.advanceAsync(5_000);
  await expect.poll(() => statisticsOfOne(database)).toEqual({ live: 1000, dead: 0, unread: 0 });
  await database.close();
  expect(clock.pending()).toBe(0);
});

test('[SRV-7] a data folder has one process; the next process may open it when the first ends', async () => {
  const first = await open();
  await expect(open()).rejects.toBeInstanceOf(FolderInUseError);
  await first.close();
  expect(await (await open()).query({ text: 'select 1 as one' })).toEqual([{ one: 1 }]);
});

test('[SRV-7] of ten processes that take over a stale lock at once, one succeeds', async () => {
  const address = join(folder, 'lock.sock');
  const dead = spawn(process.execPath, [
    '-e',
    `require('node:net').createServer().listen(${JSON.stringify(address)}, () => process.kill(process.pid, 'SIGKILL'))`,
  ]);
  await new Promise((resolve) => dead.once('exit', resolve));
  expect(existsSync(address)).toBe(true);
  const tries = await Promise.allSettled(Array.from({ length: 10 }, () => lockFolder(folder, address)));
  const winners = tries.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect(winners).toHaveLength(1);
  await winners[0]?.release();
});

test('[SRV-7] every commit reaches the disk, and a database that does not sync is refused', async () => {
  const server = await startEmbeddedServer(folder, () => undefined);
  expect(server.syncs).toBeGreaterThanOrEqual(1);
  await server.stop();
  await expect(startEmbeddedServer(folder, () => undefined, { isSyncBroken: true })).rejects.toThrow(
    'refuses to run without fsync',
  );
  // A refused start releases the folder.
  await (await startEmbeddedServer(folder, () => undefined)).stop();
});

test('[SRV-7] written rows exist after a restart, even in a folder whose path is too long for a socket', async () => {
  const dataDir = join(folder, 'd'.repeat(120));
  const first = await openDatabase({ dataDir, logger: silentLogger });
  await first.query({ text: `insert into operator (id, partner_key, name) values ('op', 'pk', 'Operator')` });
  await first.close();
  expect(readdirSync(dataDir)).toContain('database');
  const second = await openDatabase({ dataDir, logger: silentLogger });
  databases.push(second);
  expect(await second.query({ text: 'select id from operator' })).toEqual([{ id: 'op' }]);
});

test('[SRV-7] an error in one query does not affect the next, and concurrent queries each get their own answer', async () => {
  const database = await open();
  await database.query({ text: 'create table one (n int primary key)' });
  await database.query({ text: 'insert into one values (1)' });
  const results = await Promise.allSettled(
    Array.from({ length: 60 }, (_, n) =>
      n % 3 === 0
        ? database.query({ name: 'again', text: 'insert into one values ($1)', values: [1] })
        : database.query<{ n: number }>({ name: 'echo', text: 'select $1::int as n', values: [n] }),
    ),
  );
  for (const [n, result] of results.entries()) {
    if (n % 3 === 0) expect(result.status).toBe('rejected');
    else expect(result).toEqual({ status: 'fulfilled', value: [{ n }] });
  }
});
