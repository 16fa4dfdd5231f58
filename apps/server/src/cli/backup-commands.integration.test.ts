/** `backup`, `restore` and `verify`, on both databases: while payments are credited, and with files that are damaged. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { detachPartition } from '../database/archive-partition.ts';
import { openWithoutMigration } from '../database/connection/open-database.ts';
import type { Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import {
  makeTestPlace,
  openTestDatabase,
  silentLogger,
  type TestDatabase,
  type TestPlace,
} from '../database/testing/test-database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { type Bench, createBench, reportOf, seedOperator } from '../payments/testing/payments.fixture.ts';
import { openDepositOf } from '../payments/testing/with-payments.fixture.ts';
import { newerSchema } from '../testing/newer-schema.ts';
import { intent, reportOn, richUser } from '../withdrawals/withdrawals.fixture.ts';
import { keptOpen, runCommand } from './run-command.fixture.ts';

const isPostgres = process.env['TEST_DATABASE'] === 'postgres';
const role = `app_${Date.now()}`;
const folder = mkdtempSync(join(tmpdir(), 'cashier-backups-'));
const file = join(folder, 'one.backup');

let opened: TestDatabase;
let database: Database;
let bench: Bench;
let place: TestPlace;
/** Credited before the backup began. */
const before: string[] = [];
let credited = 0;

async function credit(on: Bench): Promise<string> {
  const { depositId } = await openDepositOf(on);
  await on.payments.apply(reportOf(depositId));
  return depositId;
}

const backup = (options: string) =>
  runCommand(`backup ${options}`, {
    environment: { DATABASE_URL: 'postgres://cashier@database.example/cashier' },
    open: keptOpen(database),
  });

/** The environment of a place, with a role of the application where there are roles. */
function environmentOf({ databaseUrl, dataDir }: TestPlace): Record<string, string> {
  if (databaseUrl === undefined) return { DATA_DIR: dataDir };
  const application = new URL(databaseUrl);
  application.username = role;
  application.password = 'secret';
  return { DATABASE_URL: application.href, DATABASE_OWNER_URL: databaseUrl };
}

beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
  await seedOperator(database, { url: 'https://operator.example/hook', secrets: [] });
  bench = createBench(database);
  for (let n = 0; n < 5; n += 1) before.push(await credit(bench));
  await bench.payments.apply(reportOf(before[0] ?? '', { outcome: 'reversed' }));
  const user = await richUser(database);
  const command = intent(user);
  await bench.payments.withdrawals.create(command);
  await bench.payments.withdrawals.confirm(user, command.request.withdrawalId);
  await bench.payments.withdrawals.apply(reportOn(command.request.withdrawalId));
  // Characters that end a line for some programs, and none for ours.
  await database.query({ text: `update operator set name = E'A "name"\\u2028\\u0085 of two\\nlines'` });
  await database.query({ text: `insert into telemetry_event (source, key) values ('rum', 'load')` });
  await database.query({ text: `select extend_partitions('webhook_inbox', '2024-01-01Z', '2024-02-01Z', 'month')` });
  await database.query({
    text: `insert into webhook_inbox (id, source, message_id, raw) values (time_id('2024-01-20Z'), 'fake', 'old', '\\x00ff')`,
  });
  await database.transaction((transaction) =>
    detachPartition(transaction, { name: 'webhook_inbox_2024_01', parent: 'webhook_inbox', key: ['id'] }),
  );
  place = await makeTestPlace();
});
afterAll(async () => {
  await place.remove();
  await opened.drop();
  rmSync(folder, { recursive: true, force: true });
});

test('[SRV-7] [SRV-2] a backup under load holds everything that was credited before it, and restores to an equal ledger', async () => {
  let isOver = false;
  const load = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!isOver) {
        await credit(bench);
        credited += 1;
      }
    }),
  );
  await expect.poll(() => credited).toBeGreaterThan(3);
  const written = await backup(`--to ${file}`);
  isOver = true;
  await load;
  expect(written).toMatchObject({ exitCode: 0, errors: '' });
  expect(written.out).toContain('The audit found the ledger sound.');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder), 'no draft stays').toEqual(['one.backup']);

  const restored = await runCommand(`restore --from ${file}`, {
    environment: environmentOf(place),
    open: openWithoutMigration,
  });
  expect(restored).toMatchObject({ exitCode: 0, errors: '' });
  expect(restored.out).toContain('Every row was read back and compared.');
  const copy = await openWithoutMigration({ ...place, logger: silentLogger });
  try {
    await expectEqual(copy);
  } finally {
    await copy.close();
  }
});

/** The copy has what the original had before the backup, and works on. */
async function expectEqual(copy: Database): Promise<void> {
  expect(await migrate(copy), 'nothing is missing').toEqual([]);
  expect(await auditLedger(copy)).toMatchObject({ isSound: true, faults: [] });
  const states = await copy.query<{ id: string; credited: bigint | null }>({
    text: 'select id, credited from deposit where id = any($1::uuid[])',
    values: [before],
  });
  expect(states.map(({ id }) => id).toSorted()).toEqual(before.toSorted());
  expect(states.every((row) => row.credited !== null)).toBe(true);

  const shape = `select 'trigger' as kind, tgrelid::regclass::text as place, tgname::text as name, tgenabled::text as more
      from pg_trigger where not tgisinternal and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
    union all select 'index', indrelid::regclass::text, indexrelid::regclass::text, indisvalid::text from pg_index
      where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
    union all select 'constraint', conrelid::regclass::text, conname::text, pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select 'partition', parent, name, since::text || until::text from time_partition order by 1, 2, 3, 4`;
  expect(await copy.query({ text: shape })).toEqual(await database.query({ text: shape }));

  const kept = 'select raw from archive.webhook_inbox_2024_01';
  expect(await copy.query({ text: kept }), 'a month that the archive keeps').toEqual([{ raw: Buffer.from([0, 255]) }]);
  const changed = copy.query({ text: `update archive.webhook_inbox_2024_01 set source = 'x'` });
  await expect(changed).rejects.toThrow('is written once');

  const ids = 'select max(id)::text as id from account';
  const [last] = await copy.query<{ id: string }>({ text: ids });
  await credit(createBench(copy));
  const [next] = await copy.query<{ id: string }>({ text: ids });
  expect(BigInt(next?.id ?? 0), 'a new account gets a new number').toBeGreaterThan(BigInt(last?.id ?? 0));
  expect(await auditLedger(copy)).toMatchObject({ isSound: true, faults: [] });
}

test.runIf(isPostgres)('[SRV-2] the role of the application gets its few rights back', async () => {
  const copy = await openWithoutMigration({ ...place, logger: silentLogger });
  try {
    const [may] = await copy.query({
      text: `select has_table_privilege($1, 'journal', 'insert') as writes, has_table_privilege($1, 'journal', 'update') as changes,
        has_table_privilege($1, 'account', 'update') as balances, has_table_privilege($1, 'schema_migration', 'insert') as migrates,
        has_table_privilege($1, (select name from time_partition where parent = 'journal' limit 1), 'insert') as around`,
      values: [role],
    });
    expect(may).toEqual({ writes: true, changes: false, balances: false, migrates: false, around: false });
  } finally {
    await copy.query({ text: `drop owned by ${role}; drop role ${role}` });
    await copy.close();
  }
});

describe('[SRV-7] verify', () => {
  const verify = (options: string) => runCommand(`verify ${options}`, { environment: {}, open: openWithoutMigration });

  test('restores the backup into a database of its own, and prints what it holds', async () => {
    const seen = await verify(file);
    expect(seen).toMatchObject({ exitCode: 0, errors: '' });
    expect(seen.out).toMatch(
      /^Backup of \S+, by version \S+: \d+ tables, \d+ rows, of them \d+ deposits, 1 withdrawal/,
    );
    expect(seen.out).toMatch(/Balances of users in INR: \d+ minor units in \d+ accounts\./);
    expect(seen.out).toContain('The backup can be restored');
  });

  const changed = (name: string, change: (text: string) => string): string => {
    const path = join(folder, name);
    writeFileSync(path, gzipSync(change(gunzipSync(readFileSync(file)).toString('utf8'))));
    return path;
  };

  test('finds a file that was cut off, changed, or is none', async () => {
    const cut = join(folder, 'cut.backup');
    writeFileSync(cut, readFileSync(file).subarray(0, 2_000));
    const text = join(folder, 'text.backup');
    writeFileSync(text, 'a letter');
    const cases: readonly (readonly [path: string, words: string])[] = [
      [cut, 'cannot be unpacked'],
      [text, 'cannot be unpacked'],
      [changed('short.backup', (lines) => lines.split('\n').slice(0, -2).join('\n')), 'was cut off'],
      [changed('other.backup', (lines) => lines.replace('"op"', '"oq"')), 'do not agree with their sum'],
      [changed('head.backup', (lines) => lines.replace('"database":"', '"database":"x')), 'its digest is another one'],
      [changed('none.backup', () => '{"a":1}\n'), 'This file is no backup of OpenCashier'],
      [changed('format.backup', (lines) => lines.replace('"format":1', '"format":2')), 'reads format 1. Use version'],
      [join(folder, 'missing.backup'), 'There is no file'],
    ];
    for (const [path, words] of cases) {
      const seen = await verify(`${path} --sums-only`);
      expect(seen, path).toMatchObject({ exitCode: 1, out: '', errors: expect.stringContaining(words) });
    }
  });

  test('finds what only a restore can find: a balance that its postings do not give', async () => {
    const path = join(folder, 'rich.backup');
    await database.transaction(async (transaction) => {
      await transaction.query({ text: 'alter table account disable trigger user' });
      await transaction.query({ text: `update account set balance = balance + 1 where kind = 'user'` });
      await transaction.query({ text: 'alter table account enable trigger user' });
    });
    const written = await backup(`--to ${path}`);
    expect(written).toMatchObject({
      exitCode: 1,
      out: expect.stringMatching(/The audit found \d+ faults in the ledger/),
    });
    const unaudited = await backup(`--to ${join(folder, 'unaudited.backup')} --without-audit`);
    expect(unaudited.out).toContain('The ledger was not audited.');
    await database.transaction(async (transaction) => {
      await transaction.query({ text: 'alter table account disable trigger user' });
      await transaction.query({ text: `update account set balance = balance - 1 where kind = 'user'` });
      await transaction.query({ text: 'alter table account enable trigger user' });
    });
    expect((await verify(join(folder, 'unaudited.backup'))).errors).toContain('The audit of the restored ledger found');
    expect(await verify(path), 'the same faults as in the original').toMatchObject({ exitCode: 1, errors: '' });
  });
});

describe('[SRV-7] a backup', () => {
  test('never overwrites a file', async () => {
    const refused = await backup(`--to ${file}`);
    expect(refused).toMatchObject({
      exitCode: 1,
      errors: `${file} exists. It was not overwritten. Choose another name.\n`,
    });
  });

  test('into a folder has the time as its name, and only as many are kept as were asked for', async () => {
    const daily = mkdtempSync(join(folder, 'daily-'));
    writeFileSync(join(daily, 'notes.txt'), 'not a backup');
    for (const day of ['01', '02', '03']) writeFileSync(join(daily, `cashier-202601${day}T000000Z.backup`), 'old');
    const written = await backup(`--to ${daily} --keep 2`);
    expect(written.exitCode).toBe(0);
    const left = readdirSync(daily).toSorted();
    expect(left).toHaveLength(3);
    expect(left).toEqual(expect.arrayContaining(['cashier-20260103T000000Z.backup', 'notes.txt']));
    expect(await backup(`--to ${file}.x --keep 2`)).toMatchObject({ exitCode: 2 });
    expect(await backup(`--to ${daily} --keep none`)).toMatchObject({ exitCode: 2 });
  });

  test('of a database of a newer build is left to that build', async () => {
    await migrate(database, newerSchema, { areNodesStopped: true });
    const refused = await backup(`--to ${join(folder, 'newer.backup')}`);
    expect(refused.errors).toContain('A newer build has applied 9001_channels. Back up with it.');
    expect(existsSync(join(folder, 'newer.backup'))).toBe(false);
  });
});

test('[SRV-7] a restore refuses a database with tables, and leaves it as it was', async () => {
  const refused = await runCommand(`restore --from ${file}`, {
    environment: environmentOf(place),
    open: openWithoutMigration,
  });
  expect(refused.exitCode).toBe(1);
  expect(refused.errors).toMatch(/The database is not empty: it has|There is a database in/);
});

test('[SRV-7] a restore that fails leaves no database behind, so it can be repeated', async () => {
  const half = join(folder, 'half.backup');
  writeFileSync(half, readFileSync(file).subarray(0, 2_000));
  const dataDir = join(folder, 'new');
  const restore = (from: string) =>
    runCommand(`restore --from ${from}`, { environment: { DATA_DIR: dataDir }, open: openWithoutMigration });
  expect(await restore(half)).toMatchObject({ exitCode: 1, errors: expect.stringContaining('no complete backup') });
  expect(existsSync(join(dataDir, 'database'))).toBe(false);
  expect(await restore(file)).toMatchObject({ exitCode: 0 });
});
