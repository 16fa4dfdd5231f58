/** Lists from the API of a provider are read in pages, go on after a fault, and find exactly what is wrong. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MismatchView } from '@opencashier/contract/operator';
import { dayAfter, type SettlementLine } from '@opencashier/core/reconciliation/line';
import { faults, firstDay, type Movement, monthsOf } from '@opencashier/core/reconciliation/settlement-months.fixture';
import { systemClock } from '@opencashier/core/time/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import { type ConnectionPorts, createConnection } from '../connections/change-connections.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import type { ConnectionKind, ListAsked, ListedMovement, ListPage } from '../providers/connection-kind.ts';
import { createMasterKeys, localMasterKey } from '../sealing/master-keys.ts';
import { readConnectionList } from './connection-list.ts';
import { mismatchPage } from './mismatch-page.ts';
import { bookEntries, giveToConnection, uuidOf } from './months-in-database.fixture.ts';

let opened: TestDatabase;
let folder: string;
beforeAll(async () => {
  opened = await openTestDatabase();
  await seedOperator(opened.database);
  folder = mkdtempSync(join(tmpdir(), 'cashier-lists-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await opened.drop();
});

const masterSecret = 'k'.repeat(40);
let answer: (asked: ListAsked) => ListPage | Promise<ListPage>;
const kind: ConnectionKind = {
  secrets: {},
  options: {},
  paysOut: false,
  refunds: true,
  hasOwnTime: true,
  modeOf: () => undefined,
  test: async () => ({ result: 'accepted', message: '' }),
  list: async (_account, asked) => answer(asked),
};
const { list: _none, ...withoutList } = kind;
const ports = (): ConnectionPorts => ({
  database: opened.database,
  kinds: new Map<string, ConnectionKind>([
    ['fake', kind],
    ['silent', withoutList],
  ]),
  masterKeys: createMasterKeys([localMasterKey('2026-11', masterSecret)]),
  mode: 'test',
  clock: systemClock,
});
const connect = async (name: string, provider = 'fake') =>
  (
    await createConnection(
      ports(),
      'op',
      { by: 'eve' },
      { provider, name, mode: 'test', currencies: ['EUR'], options: {}, secrets: {} },
    )
  ).id;

const kinds = ['payment', 'refund', 'chargeback'] as const;
const movements = Array.from(
  { length: 320 },
  (_none, n): Movement => ({
    kind: kinds[n % 3] ?? 'payment',
    fault: n % 2 === 0 ? 'none' : (faults[Math.floor(n / 2) % faults.length] ?? 'none'),
    amount: 1_000 + n * 101,
    day: (n * 7) % 60,
    lag: n % 2,
    naming: n % 4 === 0 ? 'own-id' : 'reference',
  }),
);

function movementOf({ kind: name, references, ownId, currency, amount, fee, date }: SettlementLine): ListedMovement {
  const own = ownId === undefined ? undefined : uuidOf(name === 'chargeback' ? ownId.replace('own', 'entry') : ownId);
  return { kind: name, references, ownId: own, currency, amountMinor: amount, feeMinor: fee, day: date };
}

async function openMismatches(): Promise<MismatchView[]> {
  const found: MismatchView[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await mismatchPage(opened.database, 'op', { state: 'open', limit: 200, cursor });
    found.push(...page.mismatches);
    if (page.nextCursor === undefined) return found;
    cursor = page.nextCursor;
  }
}

test('[SRV-1] [SRV-2] months of lists have exactly the mismatches that were made, though the provider often gives no answer', async () => {
  const months = monthsOf(movements);
  const unknown = {
    ...months.lines[0],
    id: 'last',
    references: ['unknown-last'],
    ownId: undefined,
    date: dayAfter(firstDay, 75),
  };
  const all = [...months.lines, unknown as SettlementLine];
  await bookEntries(opened.database, months.entries);
  const connectionId = await connect('main');
  const other = await connect('other');
  const owner = (id: string, entryKind: string) =>
    uuidOf(entryKind === 'payment' ? id.replace('entry', 'own') : `payment of ${id}`);
  await giveToConnection(
    opened.database,
    connectionId,
    months.entries.map(({ id, kind: name }) => owner(id, name)),
  );
  // A payment of another connection is no part of this list.
  const foreign = {
    id: 'entry-other',
    kind: 'payment',
    reference: 'ref-other',
    ownIds: ['own-other'],
    currency: 'EUR',
    amount: 5n,
    date: '2026-01-20',
  } as const;
  await bookEntries(opened.database, [foreign]);
  await giveToConnection(opened.database, other, [uuidOf('own-other')]);

  let silent = 0;
  const lineIds = new Map<string, string>();
  for (const [from, to] of [
    ['2026-01-01', '2026-01-31'],
    ['2026-02-01', '2026-02-28'],
    ['2026-03-01', '2026-03-20'],
  ] as const) {
    const lines = all.filter(({ date }) => date >= from && date <= to);
    const pageOf = 25;
    const failed = new Set<number>();
    answer = ({ cursor = '0', ...asked }) => {
      expect(asked).toEqual({ from, to });
      const at = Number(cursor);
      if (at % 50 === 25 && !failed.has(at)) {
        failed.add(at);
        silent += 1;
        return { kind: 'unknown', why: 'no answer' };
      }
      const next = at + pageOf;
      return {
        kind: 'page',
        movements: lines.slice(at, next).map(movementOf),
        ...(next < lines.length && { next: String(next) }),
      };
    };
    let listed: Awaited<ReturnType<typeof readConnectionList>> | undefined;
    const before = (await openMismatches()).length;
    for (let calls = 0; listed?.outcome !== 'imported'; calls += 1) {
      expect(calls).toBeLessThan(40);
      const call = readConnectionList(ports(), { operatorId: 'op', by: 'eve', connectionId, from, to, mostPages: 3 });
      listed = await call.catch(async (error: { code?: string }) => {
        expect(error.code).toBe('temporarily-unavailable');
        // Nothing is missing there, because nobody knows.
        expect(await openMismatches()).toHaveLength(before);
        return undefined;
      });
    }
    expect(listed.file).toMatchObject({ state: 'done', lines: lines.length, name: `list of main ${from} ${to}` });
    for (const [at, { id }] of lines.entries()) lineIds.set(`${listed.file.fileId} ${at + 1}`, id);
  }
  expect(silent).toBeGreaterThan(3);
  const nameOf = new Map(months.entries.map(({ id }) => [uuidOf(id), id]));
  const found = (await openMismatches()).map(
    (one) =>
      `${one.class} line ${one.line === undefined ? '-' : lineIds.get(`${one.fileId} ${one.line}`)} entry ${nameOf.get(one.entryId ?? '') ?? '-'}`,
  );
  expect(found.toSorted()).toEqual([...months.expected, 'missing-here line last entry -'].toSorted());
  expect(new Set(found.map((one) => one.split(' ')[0])).size).toBe(6);
});

test('[SRV-2] a list that is not over, has no end, is refused or is known is answered clearly', async () => {
  const connectionId = await connect('plain');
  const today = new Date().toISOString().slice(0, 10);
  const day = '2025-06-01';
  const read = (from = day, to = from, id = connectionId) =>
    readConnectionList(ports(), { operatorId: 'op', by: 'eve', connectionId: id, from, to });
  answer = () => ({ kind: 'refused', why: 'the key is wrong' });
  await expect(read(today)).rejects.toMatchObject({
    code: 'state-conflict',
    message: expect.stringContaining('is not over'),
  });
  await expect(read()).rejects.toMatchObject({
    code: 'state-conflict',
    message: expect.stringContaining('the key is wrong'),
  });
  answer = () => ({ kind: 'page', movements: [], next: 'again' });
  await expect(read()).rejects.toMatchObject({
    code: 'temporarily-unavailable',
    message: expect.stringContaining('do not end'),
  });
  await expect(read(day, day, randomUUID())).rejects.toMatchObject({ code: 'not-found' });
  await expect(read(day, day, await connect('quiet', 'silent'))).rejects.toMatchObject({ code: 'state-conflict' });
  answer = () => ({ kind: 'page', movements: [] });
  expect(await read()).toMatchObject({ outcome: 'imported', file: { lines: 0, state: 'done' } });
  expect(await read()).toMatchObject({ outcome: 'known' });
});

test('[SRV-2] a list with some days of another list of the connection is refused, and leaves nothing', async () => {
  const connectionId = await connect('overlapping');
  const read = (from: string, to: string, id = connectionId) =>
    readConnectionList(ports(), { operatorId: 'op', by: 'eve', connectionId: id, from, to });
  answer = () => ({ kind: 'refused', why: 'the key is wrong' });
  await expect(read('2025-05-01', '2025-05-20')).rejects.toMatchObject({ code: 'state-conflict' });
  answer = () => ({ kind: 'page', movements: [] });
  // The first list got no line, so it has no day.
  await read('2025-05-01', '2025-05-10');
  for (const [from, to] of [
    ['2025-05-10', '2025-05-11'],
    ['2025-04-30', '2025-05-01'],
    ['2025-05-03', '2025-05-04'],
    ['2025-05-01', '2025-05-20'],
  ] as const) {
    await expect(read(from, to)).rejects.toMatchObject({
      code: 'state-conflict',
      details: { params: { from: '2025-05-01', to: '2025-05-10' } },
    });
  }
  expect(await read('2025-05-11', '2025-05-12')).toMatchObject({ outcome: 'imported' });
  expect(await read('2025-05-01', '2025-05-10', await connect('beside'))).toMatchObject({ outcome: 'imported' });
  const files = await opened.database.query({
    text: 'select 1 from settlement_file where connection_id = $1',
    values: [connectionId],
  });
  expect(files).toHaveLength(3);
});

test('[SRV-2] a list that stood still before its first line stops when another one has some of its days', async () => {
  const connectionId = await connect('still');
  const read = (from: string, to: string) =>
    readConnectionList(ports(), { operatorId: 'op', by: 'eve', connectionId, from, to });
  const others: unknown[] = [];
  answer = async () => {
    await opened.database.query({ text: 'update settlement_file set busy_until = now() where busy_until is not null' });
    if (others.push(0) === 1) others.push(await read('2025-06-05', '2025-06-12'));
    return { kind: 'page', movements: [] };
  };
  const params = { from: '2025-06-05', to: '2025-06-12' };
  await expect(read('2025-06-01', '2025-06-10')).rejects.toMatchObject({ code: 'state-conflict', details: { params } });
  expect(others[2]).toMatchObject({ outcome: 'imported' });
});

const run = (command: string) => {
  const environment = { DATABASE_URL: 'postgres://none/none', TOKEN_SECRET: 't'.repeat(32) };
  return runCommand(command, { environment, open: keptOpen(opened.database) });
};

test('[SRV-1] a file of one connection makes no payment of another one missing, and is known by its connection', async () => {
  const [north, south] = [await connect('north'), await connect('south')];
  const entryOf = (name: string) =>
    ({
      id: `entry-${name}`,
      kind: 'payment',
      reference: `ref-${name}`,
      ownIds: [`own-${name}`],
      currency: 'EUR',
      amount: 700n,
      date: '2025-03-10',
    }) as const;
  const names = ['north-1', 'north-2', 'south-1'];
  await bookEntries(opened.database, names.map(entryOf));
  await giveToConnection(opened.database, north, ['own-north-1', 'own-north-2'].map(uuidOf));
  await giveToConnection(opened.database, south, [uuidOf('own-south-1')]);
  const mapping = {
    format: 'csv',
    columns: { reference: 'id', amount: 'amount', date: 'date' },
    currency: 'EUR',
    kind: 'payment',
  };
  writeFileSync(join(folder, 'mapping.json'), JSON.stringify(mapping));
  const file = join(folder, 'north.csv');
  writeFileSync(file, 'id,amount,date\nref-north-1,7.00,2025-03-10\n,7.00,2025-03-20\n');
  await run(`settlements set-mapping pk fake north ${join(folder, 'mapping.json')} --by eve`);
  const command = `settlements import pk ${file} --provider fake --mapping north --by eve --json`;
  expect(await run(`${command} --connection nobody`)).toMatchObject({ exitCode: 1 });
  const imported = await run(`${command} --connection north`);
  expect(imported).toMatchObject({ exitCode: 0 });
  const { fileId } = JSON.parse(imported.out).file;
  const page = await mismatchPage(opened.database, 'op', { fileId, limit: 50 });
  expect(page.mismatches.map((one) => [one.class, one.reference ?? one.entryId])).toEqual([
    ['missing-here', undefined],
    ['missing-there', 'ref-north-2'],
  ]);
  expect(await run(`${command} --connection north`)).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining('known'),
  });
  expect(await run(`${command} --connection south`)).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining('another connection'),
  });
});

test('[SRV-2] a payment between two files is missing there, also when the older file comes last', async () => {
  const between = { kind: 'payment', currency: 'EUR', amount: 900n, ownIds: ['own-between'] } as const;
  await bookEntries(opened.database, [{ ...between, id: 'between', reference: 'ref-between', date: '2024-01-20' }]);
  const columns = { reference: 'id', amount: 'amount', date: 'date' };
  const mappingFile = join(folder, 'backwards.json');
  writeFileSync(mappingFile, JSON.stringify({ format: 'csv', columns, currency: 'EUR', kind: 'payment' }));
  for (const name of ['backwards', 'refunds'])
    await run(`settlements set-mapping pk fake ${name} ${mappingFile} --by eve`);
  const send = async (mapping: string, day: string) => {
    const file = join(folder, `${mapping}-${day}.csv`);
    writeFileSync(file, `id,amount,date\n${mapping}-${day},1.00,${day}\n`);
    const imported = await run(`settlements import pk ${file} --provider fake --mapping ${mapping} --by eve`);
    expect(imported).toMatchObject({ exitCode: 0 });
  };
  const isMissing = async () => (await openMismatches()).some(({ reference }) => reference === 'ref-between');
  await send('backwards', '2024-02-10');
  // A file of another mapping may have other kinds of lines, so it is no neighbour of these.
  await send('refunds', '2024-01-10');
  expect(await isMissing()).toBe(false);
  await send('backwards', '2024-01-02');
  expect(await isMissing()).toBe(true);
});

test('[SRV-2] the line of a return ends nothing of its payout, and the id of a deposit finds its chargeback', async () => {
  const entry = { currency: 'EUR', date: '2023-03-05' } as const;
  const ids = { ownIds: ['own-returned'], id: 'returned', reference: 'ref-returned' };
  const chargeback = { ownIds: ['disputed'], id: 'disputed', reference: 'ref-disputed' };
  await bookEntries(opened.database, [
    { ...entry, ...ids, kind: 'payout', amount: -6_300n },
    { ...entry, ...chargeback, kind: 'chargeback', amount: -4_100n },
  ]);
  await opened.database.transaction(async (transaction) => {
    await transaction.query({ text: 'set local session_replication_role = replica' });
    await transaction.query({
      text: `update payout set state = 'returned', updated_at = '2023-03-06T12:00:00Z' where id = $1`,
      values: [uuidOf('returned')],
    });
  });
  const mappingFile = join(folder, 'returns.json');
  const columns = { reference: 'id', ownId: 'own', amount: 'amount', date: 'date', kind: 'kind' };
  const kindsOfFile = { payout: 'payout', return: 'return', chargeback: 'chargeback' };
  writeFileSync(mappingFile, JSON.stringify({ format: 'csv', columns, currency: 'EUR', kinds: kindsOfFile }));
  await run(`settlements set-mapping pk fake returns ${mappingFile} --by eve`);
  const send = async (name: string, ...rows: string[]) => {
    const file = join(folder, `${name}.csv`);
    writeFileSync(file, ['id,own,kind,amount,date', ...rows, ''].join('\n'));
    const imported = await run(`settlements import pk ${file} --provider fake --mapping returns --by eve`);
    expect(imported).toMatchObject({ exitCode: 0 });
  };
  const open = async () =>
    (await openMismatches())
      .filter(({ reference = '' }) => ['ref-returned', 'ref-disputed', 'dp_1'].includes(reference))
      .map((one) => `${one.class} ${one.expected}`)
      .toSorted();
  await send('march', 'other,,payout,-1.00,2023-03-01', 'another,,payout,-1.00,2023-03-20');
  expect(await open()).toEqual(['missing-there -41.00', 'missing-there -63.00', 'missing-there 63.00']);
  await send(
    'later',
    'ref-returned,,return,63.00,2023-03-08',
    `dp_1,${uuidOf('payment of disputed')},chargeback,-41.00,2023-03-07`,
  );
  expect(await open()).toEqual(['missing-there -63.00']);
});

test('[SRV-1] a dry run warns of a mapping that reads the wrong column, and imports nothing', async () => {
  const names = ['paid-1', 'paid-2'];
  await bookEntries(
    opened.database,
    names.map((id) => ({
      id,
      kind: 'payment',
      reference: `ref-${id}`,
      ownIds: [`own-${id}`],
      currency: 'EUR',
      amount: 500n,
      date: '2023-02-01',
    })),
  );
  const file = join(folder, 'columns.csv');
  writeFileSync(file, ['id,amount,fee,date', ...names.map((id) => `ref-${id},5.00,0.10,2023-02-01`), ''].join('\n'));
  const tried = async (amount: string) => {
    const mappingFile = join(folder, `${amount}.json`);
    const columns = { reference: 'id', amount, date: 'date' };
    writeFileSync(mappingFile, JSON.stringify({ format: 'csv', columns, currency: 'EUR', kind: 'payment' }));
    await run(`settlements set-mapping pk fake ${amount} ${mappingFile} --by eve`);
    const { out } = await run(`settlements import pk ${file} --provider fake --mapping ${amount} --dry-run --by eve`);
    return out.split('\n').slice(2);
  };
  expect(await tried('amount')).toEqual(['2 lines compared: 2 would match.', 'Nothing was imported.', '']);
  expect(await tried('fee')).toEqual([
    '2 lines compared: 0 would match.',
    'amount: 2',
    'Most lines would be mismatches. Check the mapping: only two people can take an imported file back.',
    'Nothing was imported.',
    '',
  ]);
});
