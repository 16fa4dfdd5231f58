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
import { StripeApi } from '../providers/stripe/stripe-api.fixture.ts';
import { createMasterKeys, localMasterKey } from '../sealing/master-keys.ts';
import { readConnectionList } from './connection-list.ts';
import { mismatchPage } from './mismatch-page.ts';
import { bookEntries, uuidOf } from './months-in-database.fixture.ts';

let opened: TestDatabase;
let folder: string;
const stripe = new StripeApi();
let stripeApi: Awaited<ReturnType<StripeApi['open']>>;
beforeAll(async () => {
  opened = await openTestDatabase();
  await seedOperator(opened.database);
  stripeApi = await stripe.open();
  folder = mkdtempSync(join(tmpdir(), 'cashier-lists-'));
});
afterAll(async () => {
  await stripe.close();
  rmSync(folder, { recursive: true, force: true });
  await opened.drop();
});

const masterSecret = 'k'.repeat(40);
let answer: (asked: ListAsked) => ListPage;
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

/** Gives the payments of some entries to a connection: their deposits exist only for this. */
async function ofConnection(connectionId: string, depositIds: readonly string[]): Promise<void> {
  await opened.database.transaction(async (transaction) => {
    await transaction.query({ text: 'set local session_replication_role = replica' });
    await transaction.query({
      text: `insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, connection_id, currency, amount,
          country, lifetime_s, request, state, rank, expires_at)
        select id, 'op', 'ann', id, sha256(id::text::bytea), 'card', 'fake', $1, 'EUR', 100, 'DE', 60, '{}', 'created', 10, now()
        from unnest($2::uuid[]) as deposit(id)`,
      values: [connectionId, depositIds],
    });
  });
}

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
  await ofConnection(
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
  await ofConnection(other, [uuidOf('own-other')]);

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

const at = (day: string) => Date.parse(`${day}T10:00:00Z`) / 1_000;
const transaction = (id: string, type: string, amount: number, source: unknown, more: object = {}) => ({
  id,
  object: 'balance_transaction',
  type,
  amount,
  fee: 0,
  currency: 'eur',
  exchange_rate: null,
  created: at('2025-07-02'),
  source,
  ...more,
});

test('[SRV-1] [SRV-2] Stripe’s balance transactions are read on the command line, and a silent Stripe makes nothing missing', async () => {
  const run = (command: string) =>
    runCommand(command, {
      environment: {
        DATABASE_URL: 'postgres://none/none',
        TOKEN_SECRET: 't'.repeat(32),
        SANDBOX: '1',
        MASTER_KEY: `2026-11:${masterSecret}`,
      },
      open: keptOpen(opened.database),
      stripeApi,
    });
  const secrets = join(folder, 'secrets.json');
  writeFileSync(
    secrets,
    JSON.stringify({ secretKey: 'sk_test_0000000000000000abcd', webhookSecret: 'whsec_0000000000000000wxyz' }),
  );
  expect(
    await run(`connections create pk --provider stripe --name eu --mode test --secrets ${secrets} --by eve`),
  ).toMatchObject({ exitCode: 0 });
  const depositId = randomUUID();
  const refundId = randomUUID();
  const charge = { object: 'charge', id: 'ch_1', amount: 2_500, currency: 'eur', metadata: { deposit_id: depositId } };
  const pages = [
    [
      transaction('txn_5', 'reserve_hold', -100, null),
      transaction('txn_4', 'payout', -1_400, { object: 'payout', id: 'po_1' }),
      transaction('txn_3', 'stripe_fee', -30, null),
    ],
    [
      transaction('txn_2', 'refund', -1_000, { object: 'refund', id: 're_1', metadata: { refund_id: refundId } }),
      transaction('txn_1', 'charge', 2_500, charge, { fee: 70 }),
      transaction(
        'txn_0',
        'charge',
        2_750,
        { ...charge, id: 'ch_0', amount: 3_000, currency: 'usd', metadata: {} },
        { fee: 90, exchange_rate: 0.9167 },
      ),
    ],
  ];
  stripe.answer = () => ({ status: 503, body: { error: { type: 'api_error' } } });
  const silent = await run('settlements read pk eu --from 2025-07-01 --to 2025-07-03');
  expect(silent).toMatchObject({ exitCode: 1, errors: expect.stringContaining('nothing counts as missing') });
  stripe.answer = () => ({ status: 401, body: { error: { type: 'invalid_request_error' } } });
  expect(await run('settlements read pk eu --from 2025-07-01 --to 2025-07-03')).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining('Stripe refuses secretKey'),
  });
  stripe.asked.length = 0;
  stripe.answer = ({ path, query }) => {
    expect(path).toBe('/v1/balance_transactions');
    const isSecond = query.get('starting_after') === 'txn_3';
    return { status: 200, body: { object: 'list', data: pages[isSecond ? 1 : 0], has_more: !isSecond } };
  };
  const printed = await run('settlements read pk eu --from 2025-07-01 --to 2025-07-03 --by eve --json');
  expect(printed).toMatchObject({ exitCode: 0 });
  expect(
    stripe.asked.map(({ query }) => [query.get('created[gte]'), query.get('created[lt]'), query.get('limit')]),
  ).toEqual([
    [String(Date.parse('2025-07-01Z') / 1_000), String(Date.parse('2025-07-04Z') / 1_000), '100'],
    [String(Date.parse('2025-07-01Z') / 1_000), String(Date.parse('2025-07-04Z') / 1_000), '100'],
  ]);
  const { fileId } = JSON.parse(printed.out).file;
  const lines = await opened.database.query({
    text: `select kind, reference_list as refs, own_id as own, currency, amount, fee, day::text from settlement_line where file_id = $1 order by n`,
    values: [fileId],
  });
  const common = { own: null, currency: 'EUR', fee: 0n, day: '2025-07-02' };
  expect(lines).toEqual([
    { ...common, kind: 'refund', refs: ['txn_5'], amount: -100n },
    { ...common, kind: 'settlement', refs: ['po_1'], amount: -1_400n },
    { ...common, kind: 'fee', refs: ['txn_3'], amount: 0n, fee: 30n },
    { ...common, kind: 'refund', refs: ['re_1'], own: refundId, amount: -1_000n },
    { ...common, kind: 'payment', refs: ['ch_1'], own: depositId, amount: 2_500n, fee: 70n },
    { ...common, kind: 'payment', refs: ['ch_0'], currency: 'USD', amount: 3_000n },
    { ...common, kind: 'fee', refs: ['txn_0'], amount: 0n, fee: 90n },
  ]);
  const batches = await opened.database.query({
    text: `select reference, currency, amount from settlement_batch where provider = 'stripe'`,
  });
  expect(batches).toEqual([{ reference: 'po_1', currency: 'EUR', amount: 1_400n }]);
  expect((await run('settlements read pk eu --from 2025-07-01 --to 2025-07-03')).out).toContain('imported before');
  expect(await run('settlements read pk eu --from 2025-07-03 --to 2025-07-01')).toMatchObject({ exitCode: 2 });
});

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
  await ofConnection(north, ['own-north-1', 'own-north-2'].map(uuidOf));
  await ofConnection(south, [uuidOf('own-south-1')]);
  const mapping = {
    format: 'csv',
    columns: { reference: 'id', amount: 'amount', date: 'date' },
    currency: 'EUR',
    kind: 'payment',
  };
  writeFileSync(join(folder, 'mapping.json'), JSON.stringify(mapping));
  const file = join(folder, 'north.csv');
  writeFileSync(file, 'id,amount,date\nref-north-1,7.00,2025-03-10\n,7.00,2025-03-20\n');
  const environment = { DATABASE_URL: 'postgres://none/none', TOKEN_SECRET: 't'.repeat(32) };
  const run = (command: string) => runCommand(command, { environment, open: keptOpen(opened.database) });
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
