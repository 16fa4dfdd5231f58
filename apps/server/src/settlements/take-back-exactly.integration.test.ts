/** Random files, statements and payments: a file that was taken back leaves the books of an operator that never imported it. */
import { createHash } from 'node:crypto';
import { settlementMappingSchema } from '@opencashier/contract/operator';
import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { importFile } from './import-file.ts';
import { putMapping } from './mappings.ts';
import { decideTakeBack, proposeTakeBack } from './take-back.ts';

let opened: TestDatabase;
let database: Database;
beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
});
afterAll(() => opened.drop());

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const FIRST_DAY = -9;
const PAYMENTS = 5;
/** Minor units, of which no two sums are alike. */
const amountOf = (payment: number): bigint => 10_000n * 3n ** BigInt(payment);

const payments = fc.array(
  fc.record({
    day: fc.integer({ min: FIRST_DAY, max: -1 }),
    /** Booked before the first file, before the file that is taken back, or after it. */
    booked: fc.constantFrom(0, 1, 2),
  }),
  { minLength: PAYMENTS, maxLength: PAYMENTS },
);
interface Booked {
  readonly day: number;
  readonly booked: number;
}
const line = fc.record({
  /** The last one is a stranger. */
  payment: fc.integer({ min: 0, max: PAYMENTS }),
  part: fc.constantFrom('whole', 'whole', 'whole', 'half', 'short', 'beyond'),
  isNamed: fc.boolean(),
  day: fc.integer({ min: FIRST_DAY, max: -1 }),
  batch: fc.constantFrom('', 'po-1', 'po-2'),
});
const paidOut = fc.record({
  /** The sums to which the earlier files lead, and with the file that is taken back. */
  batch: fc.constantFrom('po-1', 'po-2'),
  of: fc.constantFrom('before', 'with', 'other'),
  isNamed: fc.boolean(),
  day: fc.integer({ min: FIRST_DAY, max: -1 }),
});
type PaidOut = typeof paidOut extends fc.Arbitrary<infer One> ? One : never;
type Line = typeof line extends fc.Arbitrary<infer One> ? One : never;
const anyLines = fc.array(line, { minLength: 1, maxLength: 5 });
const fileOf = (lines: typeof anyLines) =>
  fc.record({
    lines,
    /** Sums that the provider reports itself. */
    reported: fc.array(fc.constantFrom('po-1', 'po-2'), { maxLength: 1 }),
  });
/** A file whose books are compared. Of two lines of one payment, ids of the same moment say by chance which one is tried first. */
const providerFile = fileOf(fc.uniqueArray(line, { minLength: 1, maxLength: 5, selector: ({ payment }) => payment }));
const wrongProviderFile = fileOf(anyLines);
type ProviderFile = typeof providerFile extends fc.Arbitrary<infer One> ? One : never;
const statement = fc.uniqueArray(paidOut, { minLength: 1, maxLength: 2, selector: ({ batch }) => batch });
const wrongFile = fc.oneof(
  { weight: 3, arbitrary: wrongProviderFile.map((file) => ({ kind: 'provider' as const, file })) },
  { weight: 1, arbitrary: statement.map((file) => ({ kind: 'bank' as const, file })) },
);
const scenarios = fc.record({
  payments,
  first: providerFile,
  firstStatement: statement,
  wrong: wrongFile,
  next: providerFile,
  nextStatement: statement,
});

const mappingOf = (kinds: object) =>
  v.parse(settlementMappingSchema, {
    format: 'csv',
    columns: { reference: 'id', amount: 'amount', fee: 'fee', date: 'date', batch: 'batch', kind: 'kind' },
    currency: 'INR',
    unit: 'minor',
    kinds,
  });

function amountOfLine({ payment, part }: Line): bigint {
  const whole = amountOf(payment);
  if (part === 'half') return whole / 2n;
  if (part === 'short') return whole - 7n;
  return part === 'beyond' ? whole + 11n : whole;
}

type Sums = ReadonlyMap<string, bigint>;

const HEADINGS = 'id,kind,amount,fee,date,batch';

/** The file as CSV, and the sums of the bank afterwards. Each line has a fee of its own, so that no two sums are alike. */
function providerCsv(operator: string, seed: number, { lines, reported }: ProviderFile, before: Sums) {
  const sums = new Map(before);
  const rows = lines.map((one, n) => {
    const fee = 1n << BigInt(seed * 5 + n);
    if (one.batch !== '' && reported.length === 0)
      sums.set(one.batch, (sums.get(one.batch) ?? 0n) + amountOfLine(one) - fee);
    return `${one.isNamed ? `${operator}-${one.payment}` : ''},payment,${amountOfLine(one)},${fee},${day(one.day)},${one.batch}`;
  });
  for (const batch of reported) {
    const sum = 770_001n + BigInt(seed);
    sums.set(batch, sum);
    rows.push(`${batch},settlement,-${sum},0,${day(-1)},`);
  }
  return { csv: [HEADINGS, ...rows, ''].join('\n'), sums };
}

function statementCsv(lines: readonly PaidOut[], before: Sums, withWrong: Sums): string {
  const rows = lines.map(({ batch, of, isNamed, day: on }, n) => {
    const sum = of === 'other' ? 5n + BigInt(n) : ((of === 'before' ? before : withWrong).get(batch) ?? 3n);
    return `${isNamed ? batch : ''},settlement,${sum},0,${day(on)},`;
  });
  return [HEADINGS, ...rows, ''].join('\n');
}

const idOf = (name: string): string => {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

type Scenario = typeof scenarios extends fc.Arbitrary<infer One> ? One : never;

/** Books the payments of this moment past the rules of the ledger, which are proved elsewhere. */
async function book(operator: string, all: readonly Booked[], moment: number): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query({ text: 'set local session_replication_role = replica' });
    for (const [n, { day: on, booked }] of all.entries()) {
      if (booked !== moment) continue;
      const id = idOf(`${operator} ${n}`);
      await transaction.query({
        text: `insert into payment (operator_id, id, deposit_id, provider, provider_ref, origin, state, currency, amount, created_at)
          values ($1, $2, $2, 'fake', $3, 'deposit', 'credited', 'INR', $4, $5)`,
        values: [operator, id, `${operator}-${n}`, amountOf(n), `${day(on)}T12:00:00Z`],
      });
    }
  });
}
/** All that settlements know of an operator, without ids and times, and without what was taken back. */
async function booksOf(operator: string): Promise<unknown> {
  const text = (sql: string) =>
    database.query({ text: `select row_to_json(row)::text as row from (${sql}) row order by 1`, values: [operator] });
  const entry = (
    kind: string,
    id: string,
  ) => `case ${kind} when 'settlement' then (select reference from settlement_batch
      where operator_id = $1 and id = ${id}) else (select replace(provider_ref, $1, '') from payment where operator_id = $1 and id = ${id}) end`;
  return {
    mismatches: await text(`select file.name, class, mismatch.state, line.n, line_file.name as line_of, entry_kind,
        ${entry('entry_kind', 'entry_id')} as entry, expected, found, mismatch.day, cleared.name as cleared_by
      from settlement_mismatch mismatch
      join settlement_file file on file.operator_id = $1 and file.id = mismatch.file_id and file.state = 'done'
      left join settlement_file cleared on cleared.operator_id = $1 and cleared.id = mismatch.cleared_by
      left join settlement_line line on line.operator_id = $1 and line.id = mismatch.line_id
      left join settlement_file line_file on line_file.operator_id = $1 and line_file.id = line.file_id
      where mismatch.operator_id = $1`),
    matches:
      await text(`select file.name, file.state, line.n, entry_kind, ${entry('entry_kind', 'entry_id')} as entry, match.by, match.amount
      from settlement_match match left join settlement_line line on line.operator_id = $1 and line.id = match.line_id
      left join settlement_file file on file.operator_id = $1 and file.id = line.file_id where match.operator_id = $1`),
    sums: await text(`select reference, amount, day, (select name from settlement_file where operator_id = $1 and id = file_id) as file
      from settlement_batch where operator_id = $1`),
    bookings: await text(`select file.name, kind, account, amount, booking.state from settlement_booking booking
      join settlement_file file on file.operator_id = $1 and file.id = booking.file_id and file.state = 'done' where booking.operator_id = $1`),
  };
}

let operators = 0;
async function newOperator(): Promise<string> {
  operators += 1;
  const operator = `op${operators}`;
  await database.query({
    text: `insert into operator (id, partner_key, name) values ($1, $1, $1) on conflict do nothing`,
    values: [operator],
  });
  const actor = { by: 'eve' };
  const kinds = { payment: 'payment', settlement: 'settlement' } as const;
  await putMapping(database, operator, actor, { provider: 'fake', name: 'all', mapping: mappingOf(kinds) });
  const ofBank = v.parse(settlementMappingSchema, {
    format: 'csv',
    columns: { reference: 'id', amount: 'amount', date: 'date' },
    currency: 'INR',
    unit: 'minor',
    kind: 'settlement',
  });
  await putMapping(database, operator, actor, { provider: 'bank', name: 'all', mapping: ofBank });
  return operator;
}

async function send(operator: string, provider: string, name: string, content: string) {
  const open = async function* () {
    yield Buffer.from(content);
  };
  const { outcome, file } = await importFile(database, {
    operatorId: operator,
    provider,
    mapping: 'all',
    name,
    by: 'eve',
    open,
  });
  expect(outcome).toBe('imported');
  return file;
}

async function takeBack(operatorId: string, fileId = ''): Promise<void> {
  const decisionId = crypto.randomUUID();
  const reason = 'wrong mapping';
  await proposeTakeBack(database, operatorId, fileId, { decisionId, decidedBy: 'maria', reason });
  await decideTakeBack(database, operatorId, decisionId, { decision: 'confirm', decidedBy: 'ivan' });
}

const answerOf = ({ matched, mismatches, lines }: Awaited<ReturnType<typeof send>>) => ({ matched, mismatches, lines });

/** Plays a scenario with a new operator. @returns what its books were in between, and what its later files answered */
async function play(one: Scenario, hasWrongFile: boolean) {
  const operator = await newOperator();
  const none: Sums = new Map();
  const first = providerCsv(operator, 0, one.first, none);
  const wrong = one.wrong.kind === 'provider' ? providerCsv(operator, 1, one.wrong.file, first.sums) : first;
  const next = providerCsv(operator, 2, one.next, first.sums);
  await book(operator, one.payments, 0);
  const answers = [answerOf(await send(operator, 'fake', 'first', first.csv))];
  answers.push(
    answerOf(await send(operator, 'bank', 'first statement', statementCsv(one.firstStatement, first.sums, wrong.sums))),
  );
  await book(operator, one.payments, 1);
  const before = await booksOf(operator);
  if (hasWrongFile) {
    const content =
      one.wrong.kind === 'provider' ? wrong.csv : `${statementCsv(one.wrong.file, first.sums, first.sums)}`;
    const provider = one.wrong.kind === 'provider' ? 'fake' : 'bank';
    const { fileId } = await send(operator, provider, 'wrong', content.replace(/\n$/, `\n,payment,1,0,${day(-1)},\n`));
    await takeBack(operator, fileId);
    expect(await booksOf(operator)).toEqual(before);
  }
  await book(operator, one.payments, 2);
  answers.push(answerOf(await send(operator, 'fake', 'next', next.csv)));
  const statementText = statementCsv(one.nextStatement, next.sums, wrong.sums);
  answers.push(answerOf(await send(operator, 'bank', 'next statement', `${statementText},x,9,0,${day(-1)},\n`)));
  return { answers, before, after: await booksOf(operator) };
}

const RUNS = Number(process.env['TAKE_BACK_RUNS'] ?? 12);

test('[SRV-2] after a file was taken back, every later file says what it would have said without it', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, async (one) => {
      expect(await play(one, true)).toEqual(await play(one, false));
    }),
    { numRuns: RUNS },
  );
  // The payments were written past the ledger, and the rest must be sound.
  const { faults } = await auditLedger(database);
  expect(faults.filter(({ rule }) => rule.startsWith('settlement'))).toEqual([]);
});
