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
import {
  keepLedgerMonth,
  LEAST_LEDGER_MONTHS,
  type LedgerMonth,
  OPEN_IN_MONTH,
  whyLedgerMonthStays,
} from '../ledger/archived-months.ts';
import { verifyArchive } from './archive-verify.ts';
import { type AddCommands, CommandError, type Output, UsageError } from './command.ts';

/** A chargeback may come late. */
const LEAST_MONTHS = 18;

/** Tables that leave together. Rows of one partition name rows of the others, and the first table gives the months. */
interface Group {
  readonly rows: string;
  /** In the order in which the application writes to them, and so locks them. */
  readonly tables: readonly Table[];
  /** Counts rows that still wait; $1 and $2 are the times of the partition. Absent: no row waits there. */
  readonly waiting?: string;
  readonly fault: string;
  /** No month below this age leaves, whatever the options say. */
  readonly leastMonths?: number;
  /** Another reason why a month must stay. The last parameter: earlier months that are still here would leave before it. */
  readonly why?: (queryable: Queryable, month: LedgerMonth, isAfterOthers: boolean) => Promise<string | undefined>;
  /** Keeps what must stay of a month, before its partitions are detached. */
  readonly keep?: (transaction: Transaction, month: LedgerMonth) => Promise<void>;
  /** The rows of a queue that were set aside and leave with the month; $1 and $2 are its times. */
  readonly setAside?: { readonly from: string; readonly id: string };
}

interface Table {
  readonly name: string;
  readonly key: readonly string[];
  /** True for a row that disagrees with what stays; `{table}` stands for the partition of a table. */
  readonly faulty: string;
  /** The rows that are read together; for small rows. */
  readonly page?: number;
}

/** True for the row `event` that stays of a report. */
const OF_ITS_REPORT = `event.provider = stored.body ->> 'provider' and event.event_id = stored.body ->> 'eventId'
          and event.body_id = stored.id and (event.reported, event.paid, event.currency) is not distinct from
            (stored.body ->> 'outcome', (stored.body ->> 'paidMinor')::numeric, stored.body ->> 'currency')`;

const GROUPS: readonly Group[] = [
  {
    rows: 'callbacks',
    tables: [
      {
        name: 'webhook_inbox',
        key: ['id'],
        faulty: `not exists (select 1 from inbox_key key where key.source = stored.source and key.message_id = stored.message_id
          and key.inbox_id = stored.id and key.body_hash = sha256(stored.raw))`,
      },
    ],
    waiting: `select count(*)::int as n from inbox_queue where status = 'new' and inbox_id >= time_id_at($1) and inbox_id < time_id_at($2)`,
    fault: 'do not agree with the hashes of their keys',
    setAside: {
      from: `inbox_queue where status = 'dead' and inbox_id >= time_id_at($1) and inbox_id < time_id_at($2)`,
      id: 'inbox_id',
    },
  },
  {
    rows: 'reports',
    tables: [
      {
        name: 'event_body',
        key: ['id'],
        faulty: `not exists (select 1 from deposit_event event where ${OF_ITS_REPORT} and event.txid is not distinct from body #>> '{chain,txid}')
          and not exists (select 1 from withdrawal_event event where ${OF_ITS_REPORT})`,
      },
    ],
    fault: 'do not agree with what the database keeps of them',
  },
  {
    rows: 'webhooks',
    tables: [
      { name: 'webhook_delivery', key: ['operator_id', 'id'], faulty: `stored.status = 'pending'` },
      {
        name: 'webhook_attempt',
        key: ['operator_id', 'delivery_id', 'n'],
        faulty: `not exists (select 1 from {webhook_delivery} delivery
          where delivery.operator_id = stored.operator_id and delivery.id = stored.delivery_id)`,
      },
    ],
    waiting: `select count(*)::int as n from webhook_queue where delivery_id >= time_id_at($1) and delivery_id < time_id_at($2)`,
    fault: 'wait in no queue, or are attempts of no webhook',
  },
  {
    rows: 'journals',
    tables: [
      {
        name: 'journal',
        key: ['operator_id', 'id'],
        faulty: `not exists (select 1 from journal_key key where key.operator_id = stored.operator_id and key.ref = stored.ext_ref
          and key.source = stored.ext_source and key.kind = stored.kind and key.journal_id = stored.id)`,
        page: 1000,
      },
      {
        name: 'posting',
        key: ['operator_id', 'journal_id', 'account_id'],
        faulty: `not exists (select 1 from {journal} journal
          where journal.operator_id = stored.operator_id and journal.id = stored.journal_id)`,
        page: 1000,
      },
    ],
    waiting: OPEN_IN_MONTH,
    fault: 'have no key, or are postings of no journal',
    leastMonths: LEAST_LEDGER_MONTHS,
    why: whyLedgerMonthStays,
    keep: keepLedgerMonth,
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

export const addArchiveCommand: AddCommands = (program, { withDatabase, output }) => {
  program
    .command('archive')
    .description(
      'copies old months of callbacks, reports, webhooks and the ledger to files, and takes them out of the database',
    )
    .option('--before <month>', 'months that ended before this one, such as 2024-01')
    .option('--to <folder>', 'the folder of the files')
    .option('--verify <file>', 'only compares a file of an archived month with the database')
    .option('--dry-run', 'only says what would leave')
    .option('--keep', 'keeps the tables in the schema `archive`')
    .option('--least-months <months>', `the age in months below which no month leaves (${LEAST_MONTHS})`)
    .action(async ({ before, to, verify, dryRun = false, keep = false, leastMonths = `${LEAST_MONTHS}` }) => {
      if (verify !== undefined) return withDatabase((database) => verifyArchive(database, verify, output));
      if (before === undefined || to === undefined) throw new UsageError('Give --before and --to, or --verify.');
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
      'Another archive of this database is running. Nothing was changed. Wait until it has ended.',
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
        output.out(`${month.name} would leave with ${rows} ${group.rows}.`);
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
  if (waiting > 0) return { refusal: `${waiting} ${group.rows} still wait`, rows: 0, aside: [] };
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
  return { refusal: `${faults} ${group.rows} ${group.fault}. Run an audit first`, rows: rows ?? 0, aside };
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
      if (waiting > 0) throw new CommandError(`${month.name} stays: ${waiting} ${group.rows} began to wait just now.`);
      // Before the commit, since nothing else tells after a crash which rows were set aside.
      sayAside(aside, month, output);
    });
  } catch (error) {
    if (!isLockTimeout(error) && !isDeadlock(error)) throw error;
    throw new CommandError(
      `${month.name} stays: its table is in use, perhaps by a backup. Nothing was changed. Run the command again later.`,
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
  output.out(`${name}: ${ids.length} callbacks could never be read. They leave the queue: ${ids.join(', ')}.`);
}
