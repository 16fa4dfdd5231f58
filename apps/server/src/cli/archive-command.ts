/** `archive`: copies months that have ended long ago to files, and takes them out of the database (docs/adr/0022). */
import {
  type ArchiveFile,
  copyToFile,
  detachPartition,
  finishPartition,
  type Leaving,
} from '../database/archive-partition.ts';
import type { Database, Transaction } from '../database/database.ts';
import { isLockTimeout } from '../database/pool-database.ts';
import { type AddCommands, CommandError, type Output, UsageError } from './command.ts';

/** A chargeback may come late. */
const LEAST_MONTHS = 18;

/** Tables that leave together. Rows of one partition name rows of the others, and the first table gives the months. */
interface Group {
  readonly rows: string;
  readonly tables: readonly { readonly name: string; readonly key: readonly string[] }[];
  /** Counts rows that still wait; $1 and $2 are the times of the partition. */
  readonly waiting: string;
  /** Counts rows of the partitions that disagree with what stays; `{table}` stands for the partition of a table. */
  readonly faults: string;
  readonly fault: string;
  /** Run when the partition leaves; $1 and $2 are its times. */
  readonly forget?: string;
}

const GROUPS: readonly Group[] = [
  {
    rows: 'callbacks',
    tables: [{ name: 'webhook_inbox', key: ['id'] }],
    waiting: `select count(*)::int as n from inbox_queue where status = 'new' and inbox_id >= time_id_at($1) and inbox_id < time_id_at($2)`,
    faults: `select count(*)::int as n from {webhook_inbox} stored where not exists (select 1 from inbox_key key
      where key.source = stored.source and key.message_id = stored.message_id and key.inbox_id = stored.id
        and key.body_hash = sha256(stored.raw))`,
    fault: 'do not agree with the hashes of their keys',
    // Set aside for 18 months: the provider can no longer send it again to any use.
    forget: `delete from inbox_queue where status = 'dead' and inbox_id >= time_id_at($1) and inbox_id < time_id_at($2)`,
  },
  {
    rows: 'webhooks',
    tables: [
      { name: 'webhook_delivery', key: ['operator_id', 'id'] },
      { name: 'webhook_attempt', key: ['operator_id', 'delivery_id', 'n'] },
    ],
    waiting: `select count(*)::int as n from webhook_queue where delivery_id >= time_id_at($1) and delivery_id < time_id_at($2)`,
    faults: `select (select count(*) from {webhook_delivery} where status = 'pending')::int
      + (select count(*) from {webhook_attempt} attempt where not exists (select 1 from {webhook_delivery} delivery
        where delivery.operator_id = attempt.operator_id and delivery.id = attempt.delivery_id))::int as n`,
    fault: 'wait in no queue, or are attempts of no webhook',
  },
];

interface Options {
  readonly before: string;
  readonly folder: string;
  readonly months: number;
  readonly isDryRun: boolean;
  readonly isKept: boolean;
}

/** A part of the work that can fail between two others; for tests of crashes. */
export type ArchiveStep = 'detached' | 'copied' | 'finished';

export const addArchiveCommand: AddCommands = (program, { config, environment, open, output, exitWith }) => {
  program
    .command('archive')
    .description('copies old months of callbacks and webhooks to files, and takes them out of the database')
    .requiredOption('--before <month>', 'months that ended before this one, such as 2024-01')
    .requiredOption('--to <folder>', 'the folder of the files')
    .option('--dry-run', 'only says what would leave')
    .option('--keep', 'keeps the tables in the schema `archive`')
    .option('--least-months <months>', `the age in months below which no month leaves (${LEAST_MONTHS})`)
    .action(async ({ before, to, dryRun = false, keep = false, leastMonths = `${LEAST_MONTHS}` }) => {
      if (!/^20\d\d-(?:0[1-9]|1[0-2])$/.test(before)) throw new UsageError('A month is written as 2024-01.');
      if (!/^\d{1,3}$/.test(leastMonths)) throw new UsageError('--least-months is a number of months.');
      const { databaseUrl, dataDir } = config();
      const database = await open({
        databaseUrl: databaseUrl && (environment['DATABASE_OWNER_URL']?.trim() || databaseUrl),
        dataDir,
        logger: { info: () => undefined, error: () => output.error('The connection to the database was lost.') },
      });
      try {
        const options = { before, folder: to, months: Number(leastMonths), isDryRun: dryRun, isKept: keep };
        exitWith(await archive(database, options, output));
      } finally {
        await database.close();
      }
    });
};

/** @returns the exit code: 1 if a month could not leave */
export async function archive(
  database: Database,
  options: Options,
  output: Output,
  onStep: (step: ArchiveStep, name: string) => void = () => undefined,
): Promise<number> {
  const finish = async (leaving: Leaving) => {
    const file = await copyToFile(database, leaving, options.folder);
    onStep('copied', leaving.name);
    await finishPartition(database, leaving.name, file, options.isKept);
    onStep('finished', leaving.name);
    output.out(sentence(leaving, file, options));
  };
  if (!options.isDryRun) for (const leaving of await unfinished(database)) await finish(leaving);
  let refused = 0;
  let months = 0;
  for (const group of GROUPS) {
    for (const month of await monthsOf(database, group, options)) {
      months += 1;
      const refusal = await refusalOf(database, group, month);
      if (refusal !== undefined) {
        refused += 1;
        output.out(`${month.name} stays: ${refusal}.`);
        continue;
      }
      if (options.isDryRun) {
        output.out(`${month.name} would leave with ${await rowsOf(database, month.name)} ${group.rows}.`);
        continue;
      }
      await detach(database, group, month);
      onStep('detached', month.name);
      for (const leaving of month.parts) await finish(leaving);
    }
  }
  if (months === 0) output.out(`No partition ended before ${options.before}.`);
  return refused > 0 ? 1 : 0;
}

function sentence({ name }: Leaving, { file, rows, sha256 }: ArchiveFile, { folder, isKept }: Options): string {
  const end = isKept ? 'It is kept in the schema archive.' : 'It was dropped from the database.';
  return `${name}: ${rows} rows are in ${folder}/${file}, SHA-256 ${sha256.toString('hex')}. ${end}`;
}

interface Month {
  readonly name: string;
  readonly since: Date;
  readonly until: Date;
  readonly isYoung: boolean;
  /** The partitions of all tables of the group. */
  readonly parts: readonly Leaving[];
}

async function monthsOf(database: Database, { tables }: Group, { before, months }: Options): Promise<Month[]> {
  const rows = await database.query<Omit<Month, 'parts'> & { names: string[]; parents: string[] }>({
    text: `select first.name, first.since, first.until, first.until > now() - make_interval(months => $3) as "isYoung",
        array_agg(part.name order by part.parent) as names, array_agg(part.parent order by part.parent) as parents
      from time_partition first join time_partition part
        on part.parent = any($1::text[]) and part.since = first.since and part.until = first.until
      where first.parent = ($1::text[])[1] and first.until <= $2::timestamptz
      group by first.name, first.since, first.until order by first.since`,
    values: [tables.map(({ name }) => name), `${before}-01T00:00:00Z`, months],
  });
  return rows.map(({ names, parents, ...month }) => ({
    ...month,
    parts: names.map((name, n) => partOf(name, parents[n] ?? '')),
  }));
}

function partOf(name: string, parent: string): Leaving {
  const table = GROUPS.flatMap(({ tables }) => tables).find((one) => one.name === parent);
  if (table === undefined) throw new Error(`${name} is a partition of no table that can be archived`);
  return { name, parent, key: table.key };
}

/** Partitions that have left their table, but whose file is not complete: an earlier run ended too early. */
async function unfinished(database: Database): Promise<Leaving[]> {
  const rows = await database.query<{ name: string; parent: string }>({
    text: 'select name, parent from archived_partition where finished_at is null order by since, name',
  });
  return rows.map(({ name, parent }) => partOf(name, parent));
}

/** Why a month must stay; undefined: it may leave. */
function refusalOf(database: Database, group: Group, month: Month): Promise<string | undefined> {
  if (month.isYoung) return Promise.resolve('it is too young');
  if (month.parts.length < group.tables.length)
    return Promise.resolve('the partitions of its tables have other months');
  return database.transaction(async (transaction) => {
    // The audit of a large month takes longer than other statements may.
    await transaction.query({ text: 'set local statement_timeout = 0' });
    const waiting = await countOf(transaction, group.waiting, month);
    if (waiting > 0) return `${waiting} ${group.rows} still wait`;
    const names = new Map(month.parts.map(({ name, parent }) => [parent, name]));
    const text = group.faults.replaceAll(/\{(\w+)\}/g, (_, table: string) => names.get(table) ?? table);
    const [row] = await transaction.query<{ n: number }>({ text });
    const faults = row?.n ?? 0;
    return faults > 0 ? `${faults} ${group.rows} ${group.fault}. Run an audit first` : undefined;
  });
}

/** In one transaction, so that no partition leaves without the others. */
async function detach(database: Database, group: Group, month: Month): Promise<void> {
  try {
    await database.transaction(async (transaction) => {
      // Writers of the table wait behind this lock, and a backup would make them wait for long.
      await transaction.query({ text: `set local lock_timeout = '2s'` });
      for (const leaving of month.parts) await detachPartition(transaction, leaving);
      // Now no row of the month can begin to wait again.
      const waiting = await countOf(transaction, group.waiting, month);
      if (waiting > 0) throw new CommandError(`${month.name} stays: ${waiting} ${group.rows} began to wait just now.`);
      if (group.forget !== undefined) {
        await transaction.query({ text: group.forget, values: [month.since, month.until] });
      }
    });
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new CommandError(
      `${month.name} stays: its table is in use, perhaps by a backup. Nothing was changed. Run the command again later.`,
    );
  }
}

async function countOf(transaction: Transaction, text: string, { since, until }: Month): Promise<number> {
  const [row] = await transaction.query<{ n: number }>({ text, values: [since, until] });
  return row?.n ?? 0;
}

async function rowsOf(database: Database, name: string): Promise<number> {
  const [row] = await database.query<{ n: number }>({ text: `select count(*)::int as n from ${name}` });
  return row?.n ?? 0;
}
