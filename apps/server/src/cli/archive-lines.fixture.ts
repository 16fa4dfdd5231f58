/** Settlement files that are months old, and what a test does with them before and after an archive. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayAfter } from '@opencashier/core/reconciliation/line';
import type { Database } from '../database/database.ts';
import { openTestDatabase } from '../database/testing/test-database.ts';
import { storeAuditPoints } from '../ledger/audit-points.ts';
import { makeOlder, makeOldPartitions } from '../ledger/older-ledger.fixture.ts';
import { withoutTriggers } from '../ledger/without-triggers.fixture.ts';
import { refOf, seedOperator } from '../payments/testing/payments.fixture.ts';
import { businessOn } from './archive-ledger.fixture.ts';
import { keptOpen, runCommand } from './run-command.fixture.ts';

/** A month, such as 2024-01. */
export function monthAgo(months: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString().slice(0, 7);
}
/** The partition of a table, by default the one of 19 months ago. */
export const partition = (table: string, months = 19): string => `${table}_${monthAgo(months).replace('-', '_')}`;

/** The day that tests close. */
export const closedDay = dayAfter(new Date().toISOString().slice(0, 10), -2);

/** The line of a payment, by default of 500.00 INR. */
export const line = (depositId: string, amount = '500.00', fee = '5.00'): string =>
  `${refOf(depositId)},payment,${amount},${fee},${closedDay}`;

const MAPPING = {
  format: 'csv',
  columns: { reference: 'id', amount: 'amount', fee: 'fee', date: 'date', kind: 'kind' },
  currency: 'INR',
  kinds: { payment: 'payment', fee: 'fee' },
  settlesWithinDays: 0,
};

export type LinesBench = Awaited<ReturnType<typeof openLinesBench>>;

/** A database of its own with the operator `pk`, and folders of its own. */
export async function openLinesBench() {
  const opened = await openTestDatabase({ mayUseSecond: true });
  const { database } = opened;
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  const dataDir = mkdtempSync(join(tmpdir(), 'archive-data-'));
  mkdirSync(join(dataDir, 'database'));
  await seedOperator(database);
  const business = businessOn(database);
  const run = (command: string, on = database) => {
    const environment = { DATA_DIR: dataDir, DATABASE_URL: '', SANDBOX: '1', DATA_KEY: 'k'.repeat(64) };
    return runCommand(command, { environment, open: keptOpen(on) });
  };
  const settlements = settlementsOf(folder, run);
  const bench = {
    database,
    folder,
    business,
    run,
    ...settlements,
    archiveNow: (on = database) => run(`archive --before ${monthAgo(18)} --to ${folder}/archive`, on),
    makeAllOlder: (age?: string) => makeAllOlder(database, age),
    async counts() {
      const [row] = await database.query<{ lines: number; matches: number }>({
        text: 'select (select count(*)::int from settlement_line) as lines, (select count(*)::int from settlement_match) as matches',
      });
      return row;
    },
    async drop() {
      rmSync(folder, { recursive: true });
      rmSync(dataDir, { recursive: true });
      await opened.drop();
    },
  };
  return bench;
}

/** A file that has ended: two payments, a fee, and a line of no payment that two people have ended. */
export async function endedFile({ business, importLines, endAll, closeDay, makeAllOlder: makeOld }: LinesBench) {
  const paid = await business.deposit('ann');
  const short = await business.deposit('bob');
  const fee = `fee-1,fee,-3.00,0,${closedDay}`;
  await importLines('old.csv', line(paid), line(short, '499.00'), fee, line(paid.replace(/./, 'x')));
  await endAll();
  await closeDay();
  await makeOld();
  return { paid, short };
}

function settlementsOf(folder: string, run: (command: string) => ReturnType<typeof runCommand>) {
  /** @returns what a command that must succeed has printed */
  const done = async (command: string): Promise<string> => {
    const { exitCode, out, errors } = await run(command);
    if (exitCode !== 0) throw new Error(`${command}: ${out}${errors}`);
    return out;
  };
  const importAgain = async (name: string, operator = 'pk'): Promise<Record<string, unknown>> =>
    JSON.parse(
      await done(`settlements import ${operator} ${folder}/${name} --provider fake --mapping all --by eve --json`),
    );
  const importOf = async (operator: string, name: string, ...rows: string[]) => {
    writeFileSync(join(folder, 'mapping.json'), JSON.stringify(MAPPING));
    await done(`settlements set-mapping ${operator} fake all ${folder}/mapping.json --by eve`);
    writeFileSync(join(folder, name), ['id,kind,amount,fee,date', ...rows, ''].join('\n'));
    return importAgain(name, operator);
  };
  const listed = async (command: string) =>
    (await done(`settlements ${command} --json`))
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((text) => JSON.parse(text));
  const approveAll = async () => {
    for (const { bookingId } of await listed('bookings pk --state proposed'))
      await done(`settlements approve pk ${bookingId} --by bob`);
  };
  return {
    done,
    importAgain,
    importOf,
    importLines: (name: string, ...rows: string[]) => importOf('pk', name, ...rows),
    mismatchesOf: () => listed('mismatches pk'),
    approveAll,
    /** Two people end each open mismatch, and the bookings of fees. */
    async endAll() {
      for (const { mismatchId } of await listed('mismatches pk --state open'))
        await done(`settlements resolve pk ${mismatchId} --account none --by ann --reason known`);
      await approveAll();
    },
    async closeDay(day = closedDay) {
      const [, closeId] = /Proposed as (\S+)\./.exec(await done(`day-closes propose pk ${day} --by ann`)) ?? [];
      await done(`day-closes confirm pk ${closeId} --by bob`);
    },
  };
}

/**
 * The ledger is 19 months old. So are the lines with their matches, by default.
 * @param age how many months ago a `line` of a `file` was imported, in SQL
 */
async function makeAllOlder(database: Database, age = '19'): Promise<void> {
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
  await database.transaction((transaction) => storeAuditPoints(transaction));
}
