/** Months of settlement lines leave the database after their payments, and what they settled stays known (docs/adr/0025). */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayAfter } from '@opencashier/core/reconciliation/line';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { rolledBack } from '../database/testing/rolled-back.fixture.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { storeAuditPoints } from '../ledger/audit-points.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { makeOlder, makeOldPartitions } from '../ledger/older-ledger.fixture.ts';
import { withoutTriggers } from '../ledger/without-triggers.fixture.ts';
import { ann, commandOf, refOf, reportOf, seedOperator } from '../payments/testing/payments.fixture.ts';
import { type ArchiveStep, archive } from './archive-command.ts';
import { type Business, businessOn, findingsOf } from './archive-ledger.fixture.ts';
import { keptOpen, runCommand } from './run-command.fixture.ts';

let opened: TestDatabase;
let database: Database;
let business: Business;
let folder: string;
let dataDir: string;
beforeEach(async () => {
  opened = await openTestDatabase();
  database = opened.database;
  folder = mkdtempSync(join(tmpdir(), 'archive-'));
  dataDir = mkdtempSync(join(tmpdir(), 'archive-data-'));
  mkdirSync(join(dataDir, 'database'));
  await seedOperator(database);
  business = businessOn(database);
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  rmSync(dataDir, { recursive: true });
  await opened.drop();
});

async function run(command: string) {
  const environment = { DATA_DIR: dataDir, DATABASE_URL: '', SANDBOX: '1', DATA_KEY: 'k'.repeat(64) };
  return runCommand(command, { environment, open: keptOpen(database) });
}
/** @returns what a command that must succeed has printed */
async function done(command: string): Promise<string> {
  const { exitCode, out, errors } = await run(command);
  expect(exitCode, `${command}: ${out}${errors}`).toBe(0);
  return out;
}

function monthAgo(months: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString().slice(0, 7);
}
const partition = (table: string, months = 19): string => `${table}_${monthAgo(months).replace('-', '_')}`;
const archiveNow = (more = '') => run(`archive --before ${monthAgo(18)} --to ${folder}/archive ${more}`);
const checkNow = () => database.transaction((transaction) => storeAuditPoints(transaction));

const today = new Date().toISOString().slice(0, 10);
const closedDay = dayAfter(today, -2);
const mapping = {
  format: 'csv',
  columns: { reference: 'id', amount: 'amount', fee: 'fee', date: 'date', kind: 'kind' },
  currency: 'INR',
  kinds: { payment: 'payment', fee: 'fee' },
  settlesWithinDays: 0,
};

async function importLines(name: string, ...rows: string[]): Promise<Record<string, unknown>> {
  return importOf('pk', name, ...rows);
}
async function importOf(operator: string, name: string, ...rows: string[]): Promise<Record<string, unknown>> {
  writeFileSync(join(folder, 'mapping.json'), JSON.stringify(mapping));
  await done(`settlements set-mapping ${operator} fake all ${folder}/mapping.json --by eve`);
  writeFileSync(join(folder, name), ['id,kind,amount,fee,date', ...rows, ''].join('\n'));
  return importAgain(name, operator);
}
const importAgain = async (name: string, operator = 'pk'): Promise<Record<string, unknown>> =>
  JSON.parse(
    await done(`settlements import ${operator} ${folder}/${name} --provider fake --mapping all --by eve --json`),
  );
const line = (depositId: string, amount = '500.00', fee = '5.00') =>
  `${refOf(depositId)},payment,${amount},${fee},${closedDay}`;

async function closeDay(day = closedDay): Promise<void> {
  const [, closeId] = /Proposed as (\S+)\./.exec(await done(`day-closes propose pk ${day} --by ann`)) ?? [];
  await done(`day-closes confirm pk ${closeId} --by bob`);
}
const listed = async (command: string) =>
  (await done(`settlements ${command} --json`))
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text));
/** Two people end each open mismatch, and the bookings of fees. */
async function endAll(): Promise<void> {
  for (const { mismatchId } of await listed('mismatches pk --state open'))
    await done(`settlements resolve pk ${mismatchId} --account none --by ann --reason known`);
  await approveAll();
}
async function approveAll(): Promise<void> {
  for (const { bookingId } of await listed('bookings pk --state proposed'))
    await done(`settlements approve pk ${bookingId} --by bob`);
}

/**
 * The ledger is 19 months old. So are the lines with their matches, by default.
 * @param age how many months ago a `line` of a `file` was imported, in SQL
 */
async function makeAllOlder(age = '19'): Promise<void> {
  await makeOldPartitions(database, 21, 17);
  const tables = `from time_partitioned where name in ('settlement_line', 'settlement_match')`;
  for (const [first, last, step] of [
    [21, 17, 'month'],
    [16, 0, 'year'],
  ]) {
    await database.query({
      text: `select extend_partitions(name, now() - make_interval(months => $1), now() - make_interval(months => $2), $3) ${tables}`,
      values: [first, last, step],
    });
  }
  await makeOlder(database, 19);
  await database.transaction((transaction) =>
    withoutTriggers(transaction, [
      `create temp table aged on commit drop as select line.id, (left(replace(time_id_at(((time_of_id(line.id) at time zone 'UTC')
          - make_interval(months => ${age})) at time zone 'UTC')::text, '-', ''), 12) || right(replace(line.id::text, '-', ''), 20))::uuid as older
        from settlement_line line join settlement_file file on file.operator_id = line.operator_id and file.id = line.file_id`,
      `update settlement_match set line_id = older from aged where aged.id = line_id`,
      `update settlement_mismatch set line_id = older from aged where aged.id = line_id`,
      `update settlement_line line set id = older from aged where aged.id = line.id`,
    ]),
  );
  await checkNow();
}

const counts = async () => {
  const [row] = await database.query<{ lines: number; matches: number }>({
    text: 'select (select count(*)::int from settlement_line) as lines, (select count(*)::int from settlement_match) as matches',
  });
  return row;
};
const mismatchesOf = () => listed('mismatches pk');

/** A file that has ended: two payments, a fee, and a line of no payment that two people have ended. */
async function endedFile() {
  const paid = await business.deposit('ann');
  const short = await business.deposit('bob');
  await importLines(
    'old.csv',
    line(paid),
    line(short, '499.00'),
    `fee-1,fee,-3.00,0,${closedDay}`,
    line(paid.replace(/./, 'x')),
  );
  await endAll();
  await closeDay();
  await makeAllOlder();
  return { paid, short };
}

describe('[SRV-2] a month of settlement lines', () => {
  test('leaves after its ledger, and audits, closes, the file and what it settled stay known', async () => {
    const { paid, short } = await endedFile();
    expect(await counts()).toEqual({ lines: 4, matches: 2 });
    const before = await mismatchesOf();
    const archived = await archiveNow();
    expect(archived, archived.errors).toMatchObject({ exitCode: 0 });
    expect(await counts()).toEqual({ lines: 0, matches: 0 });
    expect(readdirSync(join(folder, 'archive'))).toContain(`${partition('settlement_line')}.jsonl.sha256`);
    const rows = readFileSync(join(folder, 'archive', `${partition('settlement_line')}.jsonl`), 'utf8')
      .trim()
      .split('\n');
    expect(rows.map((text) => JSON.parse(text).kind).toSorted()).toEqual(['fee', 'payment', 'payment', 'payment']);
    expect(await findingsOf(database)).toEqual(['sound', 'sound']);
    expect(await done('day-closes verify pk')).toContain(closedDay);
    for (const table of ['settlement_line', 'settlement_match']) {
      expect(await done(`archive --verify ${folder}/archive/${partition(table)}.jsonl`)).toContain('agrees');
    }
    // A mismatch stays, and no longer shows the number of its line.
    expect(await mismatchesOf()).toEqual(
      before.map(({ line: _n, reference: _ref, ...one }) => expect.objectContaining(one)),
    );
    // The same file is known. Another one that names the same payments finds what they have settled.
    expect(await importAgain('old.csv')).toMatchObject({ outcome: 'known', file: { lines: 4 } });
    await importLines('twice.csv', line(paid), line(short, '1.00'));
    const later = (await mismatchesOf()).filter(({ state }) => state === 'open');
    // The missing part of the short one is not short any more. It is only late.
    expect(later.map((one) => `${one.class} ${one.found}`).toSorted()).toEqual(['date 1.00', 'duplicate 500.00']);
    expect((await archiveNow()).out).toContain('No partition');
  });

  test('makes no payment missing when a later file answers for the same days', async () => {
    await endedFile();
    expect(await archiveNow()).toMatchObject({ exitCode: 0 });
    const [{ day = '' } = {}] = await database.query<{ day: string }>({
      text: `select (min(created_at) at time zone 'UTC')::date::text as day from payment`,
    });
    await importLines('days.csv', `fee-2,fee,-1.00,0,${day}`);
    expect((await mismatchesOf()).filter((one) => one.class === 'missing-there')).toEqual([]);
  });

  test('stays while files of it wait, and the command says for what', async () => {
    await importLines('open.csv', line('nobody'));
    await importLines('booked.csv', `fee-1,fee,-3.00,0,${closedDay}`);
    await importLines('broken.csv', `fee-2,fee,-4.00,0,${closedDay}`);
    await closeDay();
    await importLines('after.csv', line(await business.deposit('ann'), '500.00', '0'));
    await importLines('later.csv', line(await business.deposit('bob'), '500.00', '0'));
    await makeAllOlder();
    await database.transaction((transaction) =>
      withoutTriggers(transaction, [
        `update settlement_file set state = 'matching', done_at = null where name = 'broken.csv'`,
      ]),
    );
    const answer = await archiveNow();
    expect(answer.exitCode).toBe(1);
    expect(answer.out).toContain(
      `${partition('settlement_line')} stays: 1 settlement file is not compared, such as broken.csv of pk; ` +
        '1 settlement file has open mismatches, such as open.csv of pk; ' +
        '1 settlement file has bookings that wait for a second person, such as booked.csv of pk; ' +
        '2 settlement files were compared after the last signed close of a day, such as after.csv of pk.',
    );
    expect(await counts()).toEqual({ lines: 5, matches: 2 });
  });

  test('leaves with files of an operator that closes no days, and of files in two months', async () => {
    await database.query({ text: `insert into operator (id, partner_key, name) values ('op2', 'pk2', 'Other')` });
    const other = commandOf({}, { ...ann, operatorId: 'op2', partnerKey: 'pk2' });
    await business.bench.payments.createDeposit(other);
    await business.bench.payments.apply(reportOf(other.request.depositId));
    await importLines(
      'wide.csv',
      line(await business.deposit('ann'), '500.00', '0'),
      line(await business.deposit('bob'), '500.00', '0'),
    );
    await importOf('pk2', 'other.csv', line(other.request.depositId, '500.00', '0'));
    await makeAllOlder(
      `case when file.name = 'wide.csv' and line.n = (select max(n) from settlement_line) then 20 else 19 end`,
    );
    expect(await archiveNow()).toMatchObject({ exitCode: 0 });
    expect(await counts()).toEqual({ lines: 0, matches: 0 });
    expect(await findingsOf(database)).toEqual(['sound', 'sound']);
    expect(await importAgain('wide.csv')).toMatchObject({ outcome: 'known', file: { lines: 2 } });
    // The first close of a day is proposed and signed afterwards, and so is the next one.
    await closeDay();
    await closeDay(dayAfter(closedDay, 1));
    expect(await done('day-closes verify pk')).toContain(closedDay);
  });

  test('stays while the ledger of a payment that it names is here, and leaves in the next run', async () => {
    await importLines('old.csv', line(await business.deposit('ann')));
    await closeDay();
    await endAll();
    const held = await business.withdraw('ann');
    await makeAllOlder();
    const answer = await archiveNow();
    expect(answer).toMatchObject({ exitCode: 1, out: expect.stringContaining('name payments whose ledger is still') });
    expect(await counts()).toEqual({ lines: 1, matches: 1 });
    await business.payOut(held);
    expect(await archiveNow()).toMatchObject({ exitCode: 0 });
    expect(await counts()).toEqual({ lines: 0, matches: 0 });
  });

  test('may leave before an earlier one that waits, and the audit stays sound when that one leaves, too', async () => {
    const [early, late] = [await business.deposit('ann'), await business.deposit('bob')];
    await importLines('early.csv', line(early), line('nobody'));
    await importLines('late.csv', line(late));
    await approveAll();
    await closeDay();
    await makeAllOlder(`case file.name when 'early.csv' then 20 else 19 end`);
    const answer = await archiveNow();
    expect(answer).toMatchObject({ exitCode: 1 });
    expect(answer.out).toContain(`${partition('settlement_line', 20)} stays: 1 settlement file`);
    expect(await counts()).toEqual({ lines: 2, matches: 1 });
    await endAll();
    expect(await archiveNow()).toMatchObject({ exitCode: 0 });
    expect(await counts()).toEqual({ lines: 0, matches: 0 });
    expect(await findingsOf(database)).toEqual(['sound', 'sound']);
  });

  test.each<ArchiveStep>(['detached', 'copied', 'finished'])(
    'is whole after a run that died when it was %s',
    async (step) => {
      await endedFile();
      const options = {
        before: monthAgo(18),
        folder: join(folder, 'archive'),
        months: 18,
        isDryRun: false,
        isKept: false,
      };
      const output = { out: () => undefined, error: () => undefined, progress: () => undefined };
      const dying = archive(database, options, output, (reached, name) => {
        if (reached === step && name.startsWith('settlement_line')) throw new Error('died');
      });
      await expect(dying).rejects.toThrow('died');
      expect(await findingsOf(database)).toEqual(['sound', 'sound']);
      expect(await archiveNow()).toMatchObject({ exitCode: 0 });
      expect(await counts()).toEqual({ lines: 0, matches: 0 });
      expect(await findingsOf(database)).toEqual(['sound', 'sound']);
    },
  );

  test('cannot be changed afterwards, and with the triggers off the audit or the file finds it', async () => {
    await endedFile();
    expect(await archiveNow()).toMatchObject({ exitCode: 0 });
    for (const table of ['archived_settlement', 'archived_line_sum', 'archived_match']) {
      for (const text of [`delete from ${table}`, `update ${table} set lines = 9`]) {
        expect(await database.query({ text }).then(() => 'accepted', constraintOf), text).toBe('ledger_immutable');
      }
    }
    const faultsAfter = (text: string) =>
      rolledBack(database, async (transaction) => {
        await withoutTriggers(transaction, [text]);
        return (await auditLedger(transaction)).faults.map(({ rule }) => rule);
      });
    expect(await faultsAfter('update archived_match set amount = amount + 1')).toEqual(['archived_settlement_agrees']);
    expect(await faultsAfter('delete from archived_match')).toEqual(['archived_settlement_agrees']);
    expect(await faultsAfter('delete from archived_settlement')).toContain('archived_settlement_agrees');
    expect(await faultsAfter('update archived_line_sum set fee = fee + 1')).toEqual([
      'settlement_file_agrees',
      'archived_settlement_agrees',
    ]);
    // With the digest calculated again only the file knows.
    await database.transaction((transaction) =>
      withoutTriggers(transaction, ['update archived_match set amount = amount + 1']),
    );
    const verified = await run(`archive --verify ${folder}/archive/${partition('settlement_match')}.jsonl`);
    expect(verified).toMatchObject({ exitCode: 1, out: expect.stringContaining('its lines give') });
  });
});
