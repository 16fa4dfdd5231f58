/** `archive`: copies months that have ended long ago to files, and takes them out of the database (docs/adr/0022). */
import {
  type ArchiveFile,
  copyToFile,
  detachPartition,
  finishPartition,
  type Leaving,
  whileOnlyArchive,
} from '../database/archive-partition.ts';
import type { Database, Queryable, Transaction } from '../database/database.ts';
import { auditPartition } from '../database/partition-audit.ts';
import { isDeadlock, isLockTimeout } from '../database/pool-database.ts';
import { counted } from '../languages/counted.ts';
import { GROUPS, type Group } from './archive-groups.ts';
import { verifyArchive } from './archive-verify.ts';
import { type AddCommands, CommandError, type Output, UsageError } from './command.ts';
import { type OptionNeeds, optionNeeds } from './option-needs.ts';

/** A chargeback may come late. */
const LEAST_MONTHS = 18;

interface Options {
  readonly before: string;
  readonly folder: string;
  readonly months: number;
  readonly isDryRun: boolean;
  readonly isKept: boolean;
}

/** A part of the work that can fail between two others; for tests of crashes. */
export type ArchiveStep = 'detached' | 'copied' | 'finished';

const ARCHIVE_NEEDS: OptionNeeds = {
  '--before': ['--to'],
  '--to': ['--before'],
  '--dry-run': ['--before'],
  '--keep': ['--before'],
  '--least-months': ['--before'],
};

export const addArchiveCommand: AddCommands = (program, { withDatabase, output }) => {
  program
    .command('archive')
    .description(
      'copies old months of callbacks, reports, webhooks, the ledger and settlement lines to files, and takes them out of the database',
    )
    .option('--before <month>', 'months that ended before this one, such as 2024-01')
    .option('--to <folder>', 'the folder of the files')
    .option('--verify <file>', 'only compares a file of an archived month with the database')
    .option('--dry-run', 'only says what would leave')
    .option('--keep', 'keeps the tables in the schema `archive`')
    .option('--least-months <months>', `the age in months below which no month leaves (${LEAST_MONTHS})`)
    .hook('preAction', optionNeeds(ARCHIVE_NEEDS))
    .action(async ({ before, to, verify, dryRun = false, keep = false, leastMonths = `${LEAST_MONTHS}` }) => {
      const isAsked = before !== undefined && to !== undefined;
      if (isAsked === (verify !== undefined)) throw new UsageError('Give --before and --to, or --verify.');
      if (verify !== undefined) return withDatabase((database) => verifyArchive(database, verify, output));
      if (!isAsked) return;
      if (!/^20\d\d-(?:0[1-9]|1[0-2])$/.test(before)) throw new UsageError('A month is written as 2024-01.');
      if (!/^\d{1,3}$/.test(leastMonths)) throw new UsageError('--least-months is a number of months.');
      const options = { before, folder: to, months: Number(leastMonths), isDryRun: dryRun, isKept: keep };
      // Only the owner of the tables can detach and drop them.
      return withDatabase((database) => archive(database, options, output), { asOwner: true });
    });
};

type OnStep = (step: ArchiveStep, name: string) => void;

/**
 * @returns the exit code: 1 if a month could not leave
 * @throws CommandError if another archive of this database is running
 */
export async function archive(
  database: Database,
  options: Options,
  output: Output,
  onStep: OnStep = () => undefined,
): Promise<number> {
  if (options.isDryRun) return await archiveMonths(database, options, output, onStep);
  const only = await whileOnlyArchive(database, () => archiveMonths(database, options, output, onStep));
  if (only === undefined) {
    throw new CommandError(
      'Another archive of this database is running, or a settlement file is being taken back. Nothing was changed. Wait until it has ended.',
    );
  }
  return only.result;
}

async function archiveMonths(database: Database, options: Options, output: Output, onStep: OnStep): Promise<number> {
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
    let isAfterOthers = options.isDryRun;
    for (const month of await monthsOf(database, group, options)) {
      months += 1;
      const { refusal, rows, aside } = await verdictOf(database, group, { ...month, isAfterOthers }, options);
      if (refusal !== undefined) {
        refused += 1;
        isAfterOthers = false;
        output.out(`${month.name} stays: ${refusal}.`);
        continue;
      }
      if (options.isDryRun) {
        output.out(`${month.name} would leave with ${counted(rows, group.row)}.`);
        sayAside(aside, month, output);
        continue;
      }
      await detach(database, group, month, options, output);
      onStep('detached', month.name);
      for (const leaving of month.parts) await finish(leaving);
    }
  }
  if (months === 0) output.out(`No partition ended before ${options.before}.`);
  return refused > 0 ? 1 : 0;
}

function sentence({ name }: Leaving, { file, rows, sha256 }: ArchiveFile, { folder, isKept }: Options): string {
  const end = isKept ? 'It is kept in the schema archive.' : 'It was dropped from the database.';
  return `${name}: ${counted(rows, 'row')} in ${folder}/${file}, SHA-256 ${sha256.toString('hex')}. ${end}`;
}

interface Month {
  readonly name: string;
  readonly since: Date;
  readonly until: Date;
  readonly isYoung: boolean;
  /** The partitions of all tables of the group. */
  readonly parts: readonly Leaving[];
}

async function monthsOf(
  database: Database,
  { tables, leastMonths = 0 }: Group,
  { before, months }: Options,
): Promise<Month[]> {
  const rows = await database.query<Omit<Month, 'parts'> & { names: string[]; parents: string[] }>({
    text: `select first.name, first.since, first.until, first.until > now() - make_interval(months => $3) as "isYoung",
        array_agg(part.name order by array_position($1::text[], part.parent)) as names,
        array_agg(part.parent order by array_position($1::text[], part.parent)) as parents
      from time_partition first join time_partition part
        on part.parent = any($1::text[]) and part.since = first.since and part.until = first.until
      where first.parent = ($1::text[])[1] and first.until <= $2::timestamptz
      group by first.name, first.since, first.until order by first.since`,
    values: [tables.map(({ name }) => name), `${before}-01T00:00:00Z`, Math.max(months, leastMonths)],
  });
  return rows.map(({ names, parents, ...month }) => ({
    ...month,
    parts: names.map((name, n) => partOf(name, parents[n] ?? '')),
  }));
}

function partOf(name: string, parent: string): Leaving {
  const table = GROUPS.flatMap(({ tables }) => tables).find((one) => one.name === parent);
  if (table === undefined) throw new Error(`${name} is a partition of no table that can be archived`);
  return { name, parent, key: table.key, ...(table.page !== undefined && { page: table.page }) };
}

/** Partitions that have left their table, but whose file is not complete: an earlier run ended too early. */
async function unfinished(database: Database): Promise<Leaving[]> {
  const rows = await database.query<{ name: string; parent: string }>({
    text: 'select name, parent from archived_partition where finished_at is null order by since, name',
  });
  return rows.map(({ name, parent }) => partOf(name, parent));
}

interface Verdict {
  /** Why the month must stay. Undefined: it may leave. */
  readonly refusal?: string;
  /** The rows of the first table. */
  readonly rows: number;
  /** The ids of rows that were set aside. */
  readonly aside: readonly string[];
}

async function verdictOf(
  database: Database,
  group: Group,
  month: Month & { readonly isAfterOthers: boolean },
  options: Options,
): Promise<Verdict> {
  if (month.isYoung) return { refusal: 'it is too young', rows: 0, aside: [] };
  if (month.parts.length < group.tables.length)
    return { refusal: 'the partitions of its tables have other months', rows: 0, aside: [] };
  const aside = await asideOf(database, group, month);
  const waiting = (await waitingOf(database, group, month)) + (mayLeave(aside, options) ? 0 : aside.length);
  if (waiting > 0) return { refusal: `${counted(waiting, group.row)} still waiting`, rows: 0, aside: [] };
  const why = await whyItStays(database, group, month);
  if (why !== undefined) return { refusal: why, rows: 0, aside: [] };
  const names = new Map(month.parts.map(({ name, parent }) => [parent, name]));
  let faults = 0;
  let rows: number | undefined;
  for (const { name: table, key, faulty } of group.tables) {
    const fault = faulty.replaceAll(/\{(\w+)\}/g, (_, other: string) => names.get(other) ?? other);
    const found = await auditPartition(database, { name: names.get(table) ?? table, key, fault });
    faults += found.faults;
    rows ??= found.rows;
  }
  if (faults === 0) return { rows: rows ?? 0, aside };
  return { refusal: `${counted(faults, group.row)} ${group.fault}. Run an audit first`, rows: rows ?? 0, aside };
}

async function whyItStays(
  database: Database,
  { why }: Group,
  month: Month & { readonly isAfterOthers: boolean },
): Promise<string | undefined> {
  if (why === undefined) return undefined;
  return database.transaction(async (transaction) => {
    // It reads the whole month.
    await transaction.query({ text: 'set local statement_timeout = 0' });
    return why(transaction, month, month.isAfterOthers);
  });
}

/** In one transaction, so that no partition leaves without the others. */
async function detach(database: Database, group: Group, month: Month, options: Options, output: Output): Promise<void> {
  try {
    await database.transaction(async (transaction) => {
      if (group.keep !== undefined) {
        await transaction.query({ text: 'set local statement_timeout = 0' });
        // Before any lock is taken. The rows of a month that has ended cannot change.
        await group.keep(transaction, month);
      }
      // Writers of the table wait behind this lock, and a backup would make them wait for long.
      await transaction.query({ text: `set local lock_timeout = '2s'` });
      for (const leaving of month.parts) await detachPartition(transaction, leaving);
      // Before the count: a row that staff let wait again meanwhile is then not deleted, but counted.
      const aside = await takeAside(transaction, group, month);
      // Now no row of the month can begin to wait again.
      const waiting = (await waitingOf(transaction, group, month)) + (mayLeave(aside, options) ? 0 : aside.length);
      if (waiting > 0)
        throw new CommandError(`${month.name} stays: ${counted(waiting, group.row)} began to wait just now.`);
      // Before the commit, since nothing else tells after a crash which rows were set aside.
      sayAside(aside, month, output);
    });
  } catch (error) {
    if (!isLockTimeout(error) && !isDeadlock(error)) throw error;
    throw new CommandError(
      `${month.name} stays: its table is in use, perhaps by a backup or an audit. Nothing was changed. Run the command again later.`,
    );
  }
}

async function waitingOf(queryable: Queryable, { waiting }: Group, { since, until }: Month): Promise<number> {
  if (waiting === undefined) return 0;
  const [row] = await queryable.query<{ n: number }>({ text: waiting, values: [since, until] });
  return row?.n ?? 0;
}

/** Staff may still look at rows that were set aside, so these wait, too, until no chargeback can come. */
function mayLeave(aside: readonly string[], { months }: Options): boolean {
  return aside.length === 0 || months >= LEAST_MONTHS;
}

async function asideOf(queryable: Queryable, { setAside }: Group, { since, until }: Month): Promise<readonly string[]> {
  if (setAside === undefined) return [];
  const text = `select ${setAside.id}::text as id from ${setAside.from}`;
  const rows = await queryable.query<{ id: string }>({ text, values: [since, until] });
  return rows.map(({ id }) => id).sort();
}

async function takeAside(transaction: Transaction, { setAside }: Group, month: Month): Promise<readonly string[]> {
  if (setAside === undefined) return [];
  const text = `delete from ${setAside.from} returning ${setAside.id}::text as id`;
  const rows = await transaction.query<{ id: string }>({ text, values: [month.since, month.until] });
  return rows.map(({ id }) => id).sort();
}

function sayAside(ids: readonly string[], { name }: Month, output: Output): void {
  if (ids.length === 0) return;
  output.out(
    `${name}: ${counted(ids.length, 'callback')} that could never be read and will leave the queue: ${ids.join(', ')}.`,
  );
}
