/** Old months leave the database with a file, and what was known stays known (docs/adr/0022). */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { finishPartition } from '../database/archive-partition.ts';
import type { Database } from '../database/database.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { type Bench, callbackOf, createBench, reportOf, seedOperator } from '../payments/testing/payments.fixture.ts';
import { type ArchiveStep, archive } from './archive-command.ts';
import { keptOpen, runCommand } from './run-command.fixture.ts';

let opened: TestDatabase;
let database: Database;
let bench: Bench;
let folder: string;
let dataDir: string;
beforeEach(async () => {
  opened = await openTestDatabase({ mayUseSecond: true });
  database = opened.database;
  folder = mkdtempSync(join(tmpdir(), 'archive-'));
  dataDir = mkdtempSync(join(tmpdir(), 'archive-data-'));
  mkdirSync(join(dataDir, 'database'));
  await seedOperator(database, { url: 'https://operator.example/hook', secrets: [] });
  bench = createBench(database);
  await database.query({
    text: `select extend_partitions(name, '2024-01-01Z', '2024-03-01Z', 'month') from time_partitioned where name like 'webhook%'`,
  });
  for (const [n, month] of ['2024-01', '2024-01', '2024-02'].entries()) await storeIn(month, `old-${n}`);
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  rmSync(dataDir, { recursive: true });
  await opened.drop();
});

const callbacks = new Map<string, ReturnType<typeof callbackOf>>();
/** The same bytes each time. */
function callback(message: string): ReturnType<typeof callbackOf> {
  const known = callbacks.get(message) ?? callbackOf(reportOf('00000000-0000-4000-8000-000000000001'), message);
  callbacks.set(message, known);
  return known;
}

/** A callback that was read in this month, and a webhook that was sent at the second attempt. */
async function storeIn(month: string, message: string): Promise<void> {
  await database.query({
    text: `with stored as (
        insert into webhook_inbox (id, source, message_id, raw, received_at)
        values (time_id($1::timestamptz), 'fake', $2, $3, $1::timestamptz) returning *
      ), known as (
        insert into inbox_key (source, message_id, body_hash, inbox_id) select source, message_id, sha256(raw), id from stored
      ), sent as (
        insert into webhook_delivery (id, operator_id, type, body, status, created_at)
        values (time_id($1::timestamptz), 'op', 'deposit.processed', '{}', 'delivered', $1::timestamptz) returning *
      )
      insert into webhook_attempt (operator_id, delivery_id, n, status, duration_ms)
      select operator_id, id, n, 200, 5 from sent cross join generate_series(1, 2) n`,
    values: [`${month}-15T12:00:00Z`, message, Buffer.from(callback(message).rawBody)],
  });
}

const run = (command: string, on: Database = database) =>
  runCommand(`archive ${command}`, {
    environment: { DATA_DIR: dataDir, DATABASE_URL: '', SANDBOX: '1' },
    open: keptOpen(on),
  });

/** The database, with a look at each statement and its rows. */
function watched(
  see: (text: string, rows: number, earlier: readonly string[]) => void,
  change = (text: string) => text,
) {
  const through =
    (inner: Pick<Database, 'query'>, earlier: string[] = []): Database['query'] =>
    async <Row>(statement: Parameters<Database['query']>[0]) => {
      const rows = await inner.query<Row>({ ...statement, text: change(statement.text) });
      see(statement.text, rows.length, earlier);
      earlier.push(statement.text);
      return rows;
    };
  const on: Database = {
    ...database,
    query: (statement) => through(database)(statement),
    transaction: (work) => database.transaction((inner) => work({ isTransaction: true, query: through(inner) })),
  };
  return on;
}

const partitionsOf2024 = async () =>
  (
    await database.query<{ name: string }>({
      text: `select name from time_partition where since < '2025-01-01' and parent like 'webhook%' order by name`,
    })
  ).map(({ name }) => name);

const JANUARY = ['webhook_attempt_2024_01', 'webhook_delivery_2024_01', 'webhook_inbox_2024_01'];
const FEBRUARY = JANUARY.map((name) => name.replace('_01', '_02'));

function checkFiles(names: readonly string[]): void {
  expect(readdirSync(folder).sort()).toEqual(names.flatMap((name) => [`${name}.jsonl`, `${name}.jsonl.sha256`]));
  for (const name of names) {
    const bytes = readFileSync(join(folder, `${name}.jsonl`));
    const hash = createHash('sha256').update(bytes).digest('hex');
    expect(readFileSync(join(folder, `${name}.jsonl.sha256`), 'utf8')).toBe(`${hash}  ${name}.jsonl\n`);
    const lines = bytes.toString().trim().split('\n');
    expect(lines).toHaveLength(name.startsWith('webhook_attempt') ? 4 : 2);
    for (const line of lines) expect(JSON.parse(line)).toBeTypeOf('object');
  }
}

test('[SRV-7] a month leaves with its file, and a dry run changes nothing', async () => {
  const dry = await run(`--before 2024-02 --to ${folder} --dry-run`);
  expect(dry).toMatchObject({
    exitCode: 0,
    out: 'webhook_inbox_2024_01 would leave with 2 callbacks.\nwebhook_delivery_2024_01 would leave with 2 webhooks.\n',
  });
  expect(await partitionsOf2024()).toEqual([...JANUARY, ...FEBRUARY].sort());
  const done = await run(`--before 2024-02 --to ${folder}`);
  expect(done.exitCode).toBe(0);
  expect(done.out).toMatch(
    /^webhook_inbox_2024_01: 2 rows in .*SHA-256 [0-9a-f]{64}\. It was dropped from the database\.$/m,
  );
  expect(await partitionsOf2024()).toEqual(FEBRUARY);
  checkFiles(JANUARY);
  const [first] = readFileSync(join(folder, 'webhook_inbox_2024_01.jsonl'), 'utf8').split('\n');
  const { raw, message_id: message } = JSON.parse(first ?? '') as { raw: string; message_id: string };
  expect(Buffer.from(raw.slice(2), 'hex')).toEqual(Buffer.from(callback(message).rawBody));
  expect((await run(`--before 2024-02 --to ${folder}`)).out).toBe('No partition ended before 2024-02.\n');
});

test('[SRV-4] a callback of an archived month that comes again changes nothing; other content under its id raises an alarm', async () => {
  await run(`--before 2024-02 --to ${folder}`);
  expect(await bench.payments.receiveCallback('fake', callback('old-0'))).toEqual({ kind: 'accepted' });
  expect(await database.query({ text: 'select 1 from inbox_queue' })).toEqual([]);
  expect(await database.query({ text: `select 1 from webhook_inbox where message_id = 'old-0'` })).toEqual([]);
  expect(bench.logs).toEqual([]);
  const other = { ...callback('old-0'), rawBody: callbackOf(reportOf(randomUUID()), 'old-0').rawBody };
  await bench.payments.receiveCallback('fake', other);
  expect(bench.logs.some(({ message }) => message.includes('other content'))).toBe(true);
});

describe('[SRV-7] a month stays', () => {
  test('if it is young, unless told otherwise', async () => {
    const month = new Date(Date.now() - 400 * 86_400_000).toISOString().slice(0, 7);
    await database.query({
      text: `select extend_partitions(name, $1, $2, 'month') from time_partitioned where name like 'webhook%'`,
      values: [`${month}-01T00:00:00Z`, `${month}-02T00:00:00Z`],
    });
    const next = new Date(Date.now() - 360 * 86_400_000).toISOString().slice(0, 7);
    const young = await run(`--before ${next} --to ${folder}`);
    expect(young.exitCode).toBe(1);
    expect(young.out).toContain(`webhook_inbox_${month.replace('-', '_')} stays: it is too young.`);
    expect((await run(`--before ${next} --to ${folder} --least-months 1`)).exitCode).toBe(0);
    expect(await partitionsOf2024()).toEqual([]);
  });

  test('if something of it waits', async () => {
    await database.query({
      text: `with delivery as (select operator_id, id from webhook_delivery where created_at < '2024-02-01' limit 1),
          again as (insert into webhook_queue (operator_id, delivery_id) select operator_id, id from delivery)
        insert into inbox_queue (source, message_id, inbox_id)
        select source, message_id, inbox_id from inbox_key where message_id = 'old-0'`,
    });
    const refused = await run(`--before 2024-03 --to ${folder}`);
    expect(refused.exitCode).toBe(1);
    expect(refused.out).toContain('webhook_inbox_2024_01 stays: 1 callback still waiting.');
    expect(refused.out).toContain('webhook_delivery_2024_01 stays: 1 webhook still waiting.');
    expect(await partitionsOf2024()).toEqual(JANUARY);
  });

  test('if a callback was changed', async () => {
    await database.query({
      text: `alter table webhook_inbox_2024_01 disable trigger user; update webhook_inbox_2024_01 set raw = 'x' where message_id = 'old-0';
        alter table webhook_inbox_2024_01 enable trigger user`,
    });
    const refused = await run(`--before 2024-02 --to ${folder}`);
    expect(refused.out).toContain(
      'webhook_inbox_2024_01 stays: 1 callback in disagreement with the hashes of the keys.',
    );
    expect(await partitionsOf2024()).toContain('webhook_inbox_2024_01');
  });
});

describe('[SRV-7] words of reports', () => {
  /** A report of January that was applied, and what stays of it. */
  const storeReport = (paid: number) =>
    database.query({
      text: `select extend_partitions('event_body', '2024-01-01Z', '2024-02-01Z', 'month');
        insert into event_body (id, body) values (time_id('2024-01-15Z'),
          '{"provider": "fake", "eventId": "e1", "outcome": "paid", "paidMinor": "100", "currency": "INR"}');
        insert into deposit_event (provider, event_id, body_id, body_hash, reported, paid, currency, status, outcome)
        select 'fake', 'e1', id, '', 'paid', ${paid}, 'INR', 'applied', 'credit' from event_body`,
    });

  test('leave with their month, and what stays is as before', async () => {
    await storeReport(100);
    const done = await run(`--before 2024-02 --to ${folder}`);
    expect(done.out).toContain('event_body_2024_01: 1 row in');
    expect(readFileSync(join(folder, 'event_body_2024_01.jsonl'), 'utf8')).toContain('"paidMinor": "100"');
    expect((await run(`--verify ${join(folder, 'event_body_2024_01.jsonl')}`)).exitCode).toBe(0);
    const again = database.query({
      text: `insert into deposit_event (provider, event_id, body, body_hash, status, outcome) values ('fake', 'e1', '{"outcome": "paid"}', '', 'parked', 'new')`,
    });
    await expect(again).rejects.toMatchObject({ constraint: 'deposit_event_pkey' });
  });

  test('stay if they disagree with what is kept of them', async () => {
    await storeReport(200);
    const refused = await run(`--before 2024-02 --to ${folder}`);
    expect(refused.exitCode).toBe(1);
    expect(refused.out).toContain(
      'event_body_2024_01 stays: 1 report in disagreement with what the database keeps. Run an audit first.',
    );
  });
});

test.each(['detached', 'copied', 'finished'] as const)(
  '[SRV-7] a crash after "%s" loses nothing, and the next run goes on',
  async (step: ArchiveStep) => {
    const options = { before: '2024-02', folder, months: 18, isDryRun: false, isKept: false };
    const silent = { out: () => undefined, error: () => undefined, progress: () => undefined };
    for (let crashes = 0; crashes < 2; crashes += 1) {
      const dying = archive(database, options, silent, (at) => {
        if (at === step) throw new Error('crash');
      });
      await dying.then(
        () => undefined,
        (error: Error) => expect(error.message).toBe('crash'),
      );
    }
    expect(await archive(database, options, silent)).toBe(0);
    expect(await partitionsOf2024()).toEqual(FEBRUARY);
    checkFiles(JANUARY);
    const left = await database.query({ text: 'select 1 from archived_partition where finished_at is null' });
    expect(left).toEqual([]);
  },
);

test('[SRV-2] a kept month stays readable in the schema archive, and cannot be changed', async () => {
  expect((await run(`--before 2024-02 --to ${folder} --keep`)).out).toContain('It is kept in the schema archive.');
  expect(await database.query({ text: 'select 1 from archive.webhook_inbox_2024_01' })).toHaveLength(2);
  for (const text of [
    `update archive.webhook_inbox_2024_01 set raw = ''`,
    'delete from archive.webhook_delivery_2024_01',
    'truncate archive.webhook_attempt_2024_01',
  ]) {
    await expect(database.query({ text }), text).rejects.toThrow('written once');
  }
});

test('[SRV-1] a wrong month or age is refused', async () => {
  expect((await run(`--before January --to ${folder}`)).exitCode).toBe(2);
  expect((await run(`--before 2024-02 --to ${folder} --least-months old`)).exitCode).toBe(2);
});

describe('[SRV-7] a file of the folder is never overwritten', () => {
  test('if another cell has archived its month there', async () => {
    writeFileSync(join(folder, 'webhook_inbox_2024_01.jsonl'), 'of another cell');
    const refused = await run(`--before 2024-02 --to ${folder}`);
    expect(refused.exitCode).toBe(1);
    expect(refused.errors).toContain('webhook_inbox_2024_01.jsonl exists with other content, perhaps of another cell.');
    expect(readFileSync(join(folder, 'webhook_inbox_2024_01.jsonl'), 'utf8')).toBe('of another cell');
    expect(readdirSync(folder)).toEqual(['webhook_inbox_2024_01.jsonl']);
    expect(await database.query({ text: 'select 1 from archive.webhook_inbox_2024_01' })).toHaveLength(2);
    rmSync(join(folder, 'webhook_inbox_2024_01.jsonl'));
    const other = join(folder, 'cell-b');
    expect((await run(`--before 2024-02 --to ${other}`)).exitCode).toBe(0);
    expect(readdirSync(other)).toHaveLength(6);
  });

  test('if only its checksum is there', async () => {
    writeFileSync(join(folder, 'webhook_inbox_2024_01.jsonl.sha256'), 'of another cell');
    expect((await run(`--before 2024-02 --to ${folder}`)).exitCode).toBe(1);
    expect(readFileSync(join(folder, 'webhook_inbox_2024_01.jsonl.sha256'), 'utf8')).toBe('of another cell');
    expect(await database.query({ text: 'select 1 from archive.webhook_inbox_2024_01' })).toHaveLength(2);
  });
});

describe('[SRV-7] two archives at once', () => {
  const options = () => ({ before: '2024-02', folder, months: 18, isDryRun: false, isKept: false });
  const silent = { out: () => undefined, error: () => undefined, progress: () => undefined };

  test.runIf(process.env['TEST_DATABASE'] === 'postgres')('the second is refused', async () => {
    let second: Promise<unknown> | undefined;
    await archive(database, options(), silent, () => {
      second ??= run(`--before 2024-02 --to ${folder}`);
    });
    expect(await second).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('Another archive of this database is running'),
    });
    checkFiles(JANUARY);
    expect((await run(`--before 2024-03 --to ${folder}`)).exitCode).toBe(0);
  });

  test('a table is not dropped for a row that another run has closed', async () => {
    const dying = archive(database, options(), silent, (at) => {
      if (at === 'detached') throw new Error('crash');
    });
    await expect(dying).rejects.toThrow('crash');
    const finish = (isKept: boolean) =>
      finishPartition(database, 'webhook_inbox_2024_01', { file: 'x', rows: 2, sha256: Buffer.alloc(32) }, isKept);
    await finish(true);
    await expect(finish(false)).rejects.toThrow('Another run has already archived webhook_inbox_2024_01.');
    expect(await database.query({ text: 'select 1 from archive.webhook_inbox_2024_01' })).toHaveLength(2);
  });
});

test('[SRV-7] a large month is read in small pages, each without a time limit or after another', async () => {
  await database.query({
    text: `with stored as (
        insert into webhook_inbox (id, source, message_id, raw, received_at)
        select time_id(at), 'fake', 'many-' || n, 'x', at
        from generate_series(1, 1200) n, (select '2024-01-20Z'::timestamptz as at) moment returning *)
      insert into inbox_key (source, message_id, body_hash, inbox_id) select source, message_id, sha256(raw), id from stored`,
  });
  const wrong: string[] = [];
  const on = watched((text, rows, earlier) => {
    if (!/from \S*webhook_inbox_2024_01/.test(text)) return;
    const isPage = /limit \d+/.test(text);
    const isCopy = text.includes('to_jsonb');
    const isPatient = earlier.length === 1 && earlier[0] === 'set local statement_timeout = 0';
    if (!isPage || rows > 50 || !(isCopy || isPatient)) wrong.push(text);
  });
  const dry = await run(`--before 2024-02 --to ${folder} --dry-run`, on);
  expect(dry.out).toContain('webhook_inbox_2024_01 would leave with 1202 callbacks.');
  expect((await run(`--before 2024-02 --to ${folder}`, on)).exitCode).toBe(0);
  expect(wrong).toEqual([]);
  const lines = readFileSync(join(folder, 'webhook_inbox_2024_01.jsonl'), 'utf8').trim().split('\n');
  expect(new Set(lines.map((line) => JSON.parse(line).message_id)).size).toBe(1202);
});

describe('[SRV-1] archive refuses', () => {
  test.runIf(process.env['TEST_DATABASE'] !== 'postgres')('a folder without a database', async () => {
    rmSync(join(dataDir, 'database'), { recursive: true });
    const refused = await run(`--before 2024-02 --to ${folder}`);
    expect(refused).toMatchObject({ exitCode: 1, errors: expect.stringContaining('There is no database in') });
    expect(await partitionsOf2024()).toEqual([...JANUARY, ...FEBRUARY].sort());
  });

  test('a database of a newer build', async () => {
    await database.query({ text: `insert into schema_migration (name, checksum) values ('9999-new', 'x')` });
    const refused = await run(`--before 2024-02 --to ${folder}`);
    expect(refused).toMatchObject({ exitCode: 1, errors: expect.stringContaining('newer than this build') });
    expect(await partitionsOf2024()).toEqual([...JANUARY, ...FEBRUARY].sort());
  });
});

test('[SRV-7] callbacks that were set aside are named when they leave, and wait in a young month', async () => {
  const [dead] = await database.query<{ id: string }>({
    text: `insert into inbox_queue (source, message_id, inbox_id, status)
      select source, message_id, inbox_id, 'dead' from inbox_key where message_id = 'old-0' returning inbox_id::text as id`,
  });
  const young = await run(`--before 2024-02 --to ${folder} --least-months 1`);
  expect(young.out).toContain('webhook_inbox_2024_01 stays: 1 callback still waiting.');
  const words = `webhook_inbox_2024_01: 1 callback that could never be read and will leave the queue: ${dead?.id}.`;
  expect((await run(`--before 2024-02 --to ${folder} --dry-run`)).out).toContain(words);
  expect(await database.query({ text: 'select 1 from inbox_queue' })).toHaveLength(1);
  expect((await run(`--before 2024-02 --to ${folder}`)).out).toContain(words);
  expect(await database.query({ text: 'select 1 from inbox_queue' })).toEqual([]);
});

test('[SRV-7] deliveries are detached before their attempts, and a deadlock changes nothing', async () => {
  const order: string[] = [];
  const locked = watched(
    () => undefined,
    (text) => {
      const name = / detach partition "?(\w+)/.exec(text)?.[1];
      if (name !== undefined) order.push(name);
      return name === 'webhook_attempt_2024_01'
        ? `do $$ begin raise exception 'x' using errcode = '40P01'; end $$`
        : text;
    },
  );
  const refused = await run(`--before 2024-02 --to ${folder}`, locked);
  expect(order.slice(0, 3)).toEqual(['webhook_inbox_2024_01', 'webhook_delivery_2024_01', 'webhook_attempt_2024_01']);
  expect(refused).toMatchObject({ exitCode: 1, errors: expect.stringContaining('its table is in use') });
  expect(await partitionsOf2024()).toEqual([...JANUARY.slice(0, 2), ...FEBRUARY].sort());
});
