/** `archive --verify`: compares the file of an archived month with what the database knows of it (docs/adr/0025). */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { linesOf } from '../database/byte-lines.ts';
import type { Database } from '../database/database.ts';
import { counted } from '../languages/counted.ts';
import { CommandError, type Output } from './command.ts';

/** The lines that go to the database together. */
const PAGE = 2000;

interface Archived {
  readonly parent: string;
  readonly until: Date;
  readonly rows: bigint;
  readonly sha256: Buffer;
}

/**
 * Compares the checksum and the rows of any file with the database. Of postings it also compares the sum of each account, of
 * journals those that stayed, and of settlement lines and matches their sums.
 * @returns the exit code: 1 if the file and the database disagree
 * @throws CommandError if the database knows no such file, or the file cannot be read
 */
export async function verifyArchive(database: Database, path: string, output: Output): Promise<number> {
  const [archived] = await database.query<Archived>({
    text: 'select parent, until, rows, sha256 from archived_partition where file = $1 and finished_at is not null',
    values: [basename(path)],
  });
  if (archived === undefined)
    throw new CommandError(`The database has no archived month with the file ${basename(path)}.`);
  const wrong: string[] = [];
  const hash = createHash('sha256');
  const lines = await compareLines(database, archived, linesOf(bytesOf(path, hash))).catch((error: unknown) => {
    throw new CommandError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  if (!hash.digest().equals(archived.sha256)) wrong.push('its SHA-256 is another one');
  if (BigInt(lines.rows) !== archived.rows)
    wrong.push(`it has ${counted(lines.rows, 'row')} instead of ${archived.rows}`);
  wrong.push(...lines.wrong);
  for (const one of wrong) output.out(`${path} does not agree with the database: ${one}.`);
  if (wrong.length > 0) return 1;
  output.out(`${path} agrees with the database: ${counted(lines.rows, 'row')}${lines.compared}.`);
  return 0;
}

interface Compared {
  readonly rows: number;
  readonly wrong: readonly string[];
  /** What was compared beside the bytes. */
  readonly compared: string;
}

async function compareLines(database: Database, archived: Archived, file: AsyncIterable<string>): Promise<Compared> {
  if (archived.parent === 'posting') return comparePostings(database, archived, file);
  if (archived.parent === 'journal') return compareJournals(database, archived, file);
  const kept = SUMS_OF_SETTLEMENTS[archived.parent];
  if (kept !== undefined) return compareSums(database, archived, file, kept);
  let rows = 0;
  for await (const page of pagesOf(file)) rows += page.length;
  return { rows, wrong: [], compared: '' };
}

/** Sums that stay of lines, and how they are calculated from the lines of a file. */
interface KeptSums {
  readonly what: string;
  /** $1 is a page of lines. In the order of the operators, as a file has them. */
  readonly ofPage: string;
  /** $1 is the operator, $2 the end of the month. */
  readonly kept: string;
  /** $1 is the end of the month. */
  readonly operators: string;
}

const SUMS_OF_SETTLEMENTS: Readonly<Record<string, KeptSums | undefined>> = {
  settlement_line: {
    what: 'the sums of files',
    ofPage: `select operator_id as operator, jsonb_build_array(operator_id, file_id, currency)::text as name,
        array[count(*), sum(amount), sum(fee)]::text[] as sums
      from jsonb_populate_recordset(null::settlement_line, $1::jsonb) line group by operator_id, file_id, currency order by operator_id`,
    kept: `select jsonb_build_array(operator_id, file_id, currency)::text as name, array[lines, amount, fee]::text[] as sums
      from archived_line_sum where operator_id = $1 and until = $2`,
    operators: `select id from operator where exists (select 1 from archived_line_sum kept where kept.operator_id = operator.id and until = $1)
      order by id`,
  },
  settlement_match: {
    what: 'what was settled of entries',
    ofPage: `select operator_id as operator, jsonb_build_array(operator_id, entry_kind, entry_id)::text as name,
        array[count(*), sum(amount)]::text[] as sums
      from jsonb_populate_recordset(null::settlement_match, $1::jsonb) match group by operator_id, entry_kind, entry_id order by operator_id`,
    kept: `select jsonb_build_array(operator_id, entry_kind, entry_id)::text as name, array[lines, amount]::text[] as sums
      from archived_match where operator_id = $1 and until = $2`,
    operators: `select id from operator where exists (select 1 from archived_match kept where kept.operator_id = operator.id and until = $1)
      order by id`,
  },
};

type Sums = ReadonlyMap<string, readonly bigint[]>;

/** Compares one operator after the other, as the file has them. So only the sums of one operator are in memory. */
async function compareSums(
  database: Database,
  { until }: Archived,
  file: AsyncIterable<string>,
  { what, ofPage, kept, operators }: KeptSums,
): Promise<Compared> {
  const wrong: string[] = [];
  const compared = new Set<string>();
  let rows = 0;
  let names = 0;
  const compare = async (operator: string, sums: Sums) => {
    compared.add(operator);
    const found = differencesOf(sums, await readPatiently<StoredSums>(database, kept, [operator, until]));
    names += found.names;
    wrong.push(...found.wrong);
  };
  let operator: string | undefined;
  let sums = new Map<string, readonly bigint[]>();
  for await (const page of pagesOf(file)) {
    rows += page.length;
    const added = await database.query<StoredSums & { operator: string }>({ text: ofPage, values: [arrayOf(page)] });
    for (const { operator: next, name, sums: more } of added) {
      if (operator !== undefined && operator !== next) {
        await compare(operator, sums);
        sums = new Map();
      }
      operator = next;
      const before = sums.get(name);
      sums.set(
        name,
        more.map((sum, n) => BigInt(sum) + (before?.[n] ?? 0n)),
      );
    }
  }
  if (operator !== undefined) await compare(operator, sums);
  for (const { id } of await readPatiently<{ id: string }>(database, operators, [until])) {
    if (!compared.has(id)) await compare(id, new Map());
  }
  return { rows, wrong, compared: `, and ${what}: ${names}` };
}

interface StoredSums {
  readonly name: string;
  readonly sums: readonly string[];
}

function differencesOf(sums: Sums, known: readonly StoredSums[]) {
  const stored = new Map(known.map(({ name, sums: own }) => [name, own.join(' ')]));
  const names = new Set([...sums.keys(), ...stored.keys()]);
  const wrong = [...names].flatMap((name) => {
    const [here, there] = [stored.get(name) ?? 'none', sums.get(name)?.join(' ') ?? 'none'];
    return here === there ? [] : [`${name} has ${here}, but its lines give ${there}`];
  });
  return { names: names.size, wrong };
}

/** One operator may have settled millions of payments in a month, which takes longer than other queries may. */
function readPatiently<Row>(database: Database, text: string, values: readonly unknown[]): Promise<Row[]> {
  return database.transaction(async (transaction) => {
    await transaction.query({ text: 'set local statement_timeout = 0' });
    return transaction.query<Row>({ text, values: [...values] });
  });
}

async function* bytesOf(path: string, hash: Hash): AsyncGenerator<Buffer> {
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(bytes);
    yield bytes;
  }
}

async function* pagesOf(file: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let page: string[] = [];
  for await (const line of file) {
    page.push(line);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** The database reads the lines, because an amount may be larger than a number of JavaScript. */
const arrayOf = (page: readonly string[]): string => `[${page.join(',')}]`;

async function comparePostings(
  database: Database,
  { until }: Archived,
  file: AsyncIterable<string>,
): Promise<Compared> {
  const sums = new Map<string, bigint>();
  let rows = 0;
  for await (const page of pagesOf(file)) {
    rows += page.length;
    const added = await database.query<{ account: string; sum: string }>({
      text: `select jsonb_build_array(operator_id, account_id)::text as account, sum(amount)::text as sum
        from jsonb_to_recordset($1::jsonb) as line(operator_id text, account_id bigint, amount bigint) group by 1`,
      values: [arrayOf(page)],
    });
    for (const { account, sum } of added) sums.set(account, (sums.get(account) ?? 0n) + BigInt(sum));
  }
  const known = await database.query<{ account: string; sum: string }>({
    text: `select jsonb_build_array(operator_id, account_id)::text as account, sum::text as sum from archived_balance where until = $1`,
    values: [until],
  });
  const stored = new Map(known.map(({ account, sum }) => [account, BigInt(sum)]));
  const accounts = [...new Set([...sums.keys(), ...stored.keys()])];
  const wrong = accounts
    .filter((account) => sums.get(account) !== stored.get(account))
    .map(
      (account) =>
        `account ${account} has the sum ${stored.get(account) ?? 'none'}, but its postings sum to ${sums.get(account) ?? 'none'}`,
    );
  return { rows, wrong, compared: `, and the sums of ${counted(accounts.length, 'account')}` };
}

async function compareJournals(
  database: Database,
  { until }: Archived,
  file: AsyncIterable<string>,
): Promise<Compared> {
  const wrong: string[] = [];
  let rows = 0;
  for await (const page of pagesOf(file)) {
    rows += page.length;
    const changed = await database.query<{ id: string }>({
      text: `select line.id from jsonb_populate_recordset(null::journal, $1::jsonb) line
        join archived_journal kept on kept.operator_id = line.operator_id and kept.id = line.id
        where to_jsonb(kept) - 'lines' <> to_jsonb(line)
        union all select line.id from jsonb_populate_recordset(null::journal, $1::jsonb) line
        cross join lateral journal_keys(line) key where not exists (select 1 from journal_key known where known.operator_id = line.operator_id
          and known.ref = key.ref and known.source = key.source and known.kind = key.kind and known.journal_id = line.id)`,
      values: [arrayOf(page)],
    });
    wrong.push(...new Set(changed.map(({ id }) => `journal ${id} or its keys were changed`)));
  }
  const [known] = await database.query<{ journals: string }>({
    text: 'select coalesce(sum(journals), 0)::text as journals from archived_month where until = $1',
    values: [until],
  });
  if (known?.journals !== String(rows)) wrong.push(`the month has ${known?.journals} journals`);
  return { rows, wrong, compared: ', and their keys' };
}
