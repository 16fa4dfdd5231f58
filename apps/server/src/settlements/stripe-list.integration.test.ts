/** Stripe's list of an account is read in pages, and each of its movements finds what the ledger has. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LedgerEntry } from '@opencashier/core/reconciliation/line';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import { StripeApi } from '../providers/stripe/stripe-api.fixture.ts';
import { mismatchPage } from './mismatch-page.ts';
import { bookEntries, giveToConnection, uuidOf } from './months-in-database.fixture.ts';

let opened: TestDatabase;
let folder: string;
const stripe = new StripeApi();
let stripeApi: Awaited<ReturnType<StripeApi['open']>>;
beforeAll(async () => {
  opened = await openTestDatabase();
  await seedOperator(opened.database);
  stripeApi = await stripe.open();
  folder = mkdtempSync(join(tmpdir(), 'cashier-stripe-list-'));
});
afterAll(async () => {
  await stripe.close();
  rmSync(folder, { recursive: true, force: true });
  await opened.drop();
});

const run = (command: string) =>
  runCommand(command, {
    environment: {
      DATABASE_URL: 'postgres://none/none',
      TOKEN_SECRET: 't'.repeat(32),
      SANDBOX: '1',
      MASTER_KEY: `2026-11:${'k'.repeat(40)}`,
    },
    open: keptOpen(opened.database),
    stripeApi,
  });

/** @returns the id of the connection */
async function connect(name: string): Promise<string> {
  const secrets = join(folder, 'secrets.json');
  writeFileSync(
    secrets,
    JSON.stringify({ secretKey: 'sk_test_0000000000000000abcd', webhookSecret: 'whsec_0000000000000000wxyz' }),
  );
  expect(
    await run(`connections create pk --provider stripe --name ${name} --mode test --secrets ${secrets} --by eve`),
  ).toMatchObject({ exitCode: 0 });
  const [row] = await opened.database.query<{ id: string }>({
    text: 'select id from provider_connection where name = $1',
    values: [name],
  });
  return row?.id ?? '';
}

/** Gives payouts to a connection: their withdrawals exist only for this. */
async function withdrawOver(connectionId: string, withdrawalIds: readonly string[]): Promise<void> {
  await opened.database.transaction(async (transaction) => {
    await transaction.query({ text: 'set local session_replication_role = replica' });
    await transaction.query({
      text: `insert into withdrawal (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, connection_id, country,
          account_type, currency, amount, fee, request, state, rank, expires_at)
        select id, 'op', 'ann', id, sha256(id::text::bytea), 'card_withdrawal', 'stripe', $1, 'DE', 'main', 'EUR', 100, 0, '{}', 'created',
          10, now() from unnest($2::uuid[]) as withdrawal(id)`,
      values: [connectionId, withdrawalIds],
    });
  });
}

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
  await connect('eu');
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

test('[SRV-2] disputes, failed refunds and payouts to cards of Stripe’s list find what the ledger has', async () => {
  const connectionId = await connect('disputed');
  const entry = (kind: LedgerEntry['kind'], amount: bigint): LedgerEntry => ({
    id: `${kind} of ${amount}`,
    kind,
    reference: `cs_${kind}_${amount}`,
    ownIds: [`own of ${kind}`],
    currency: 'EUR',
    amount,
    date: '2025-08-02',
  });
  const entries = [
    entry('chargeback', -4_100n),
    entry('return', 4_100n),
    entry('refund', -5_200n),
    entry('return', 5_200n),
    entry('payout', -6_300n),
  ];
  await bookEntries(opened.database, entries, 'stripe');
  const depositOf = ({ id, kind, ownIds: [own = ''] }: LedgerEntry) =>
    uuidOf(kind === 'return' ? own : `payment of ${id}`);
  await giveToConnection(opened.database, connectionId, [...new Set(entries.map(depositOf))], 'stripe');
  const lost = { ...entry('payout', -7_700n), ownIds: ['own of lost'] };
  await bookEntries(opened.database, [lost], 'stripe');
  await withdrawOver(connectionId, [uuidOf('own of payout'), uuidOf('own of lost')]);
  const dispute = { object: 'dispute', id: 'dp_1', metadata: {} };
  const ids = { deposit_id: randomUUID(), refund_id: uuidOf('own of refund') };
  const refunded = { object: 'refund', id: 're_2', metadata: ids };
  const paidOut = { payout_id: uuidOf('own of payout'), payout_refund_id: randomUUID() };
  const data = [
    transaction('txn_16', 'adjustment', 4_100, dispute, { fee: -1_500 }),
    transaction('txn_15', 'adjustment', -4_100, dispute, { fee: 1_500 }),
    transaction('txn_14', 'refund_failure', 5_200, refunded),
    transaction('txn_13', 'refund', -5_200, refunded),
    transaction('txn_12', 'refund', -2_300, { object: 'refund', id: 're_3', metadata: paidOut }),
    transaction('txn_11', 'refund', -4_000, { object: 'refund', id: 're_4', metadata: paidOut }),
  ].map((one) => ({ ...one, created: at('2025-08-02') }));
  stripe.answer = () => ({ status: 200, body: { object: 'list', data, has_more: false } });
  const printed = await run('settlements read pk disputed --from 2025-08-01 --to 2025-08-10 --by eve --json');
  expect(printed).toMatchObject({ exitCode: 0 });
  const { fileId } = JSON.parse(printed.out).file;
  expect((await mismatchPage(opened.database, 'op', { fileId, limit: 50 })).mismatches).toMatchObject([
    { class: 'missing-there', reference: lost.reference, expected: '-77.00' },
  ]);
  const matched = await opened.database.query<{ kind: string; amount: bigint; by: string }>({
    text: `select entry_kind as kind, match.amount, match.by from settlement_match match
      join settlement_line line on line.operator_id = match.operator_id and line.id = match.line_id
      where line.file_id = $1 order by match.amount`,
    values: [fileId],
  });
  expect(matched.map(({ kind, amount, by }) => [kind, amount, by])).toEqual([
    ['refund', -5_200n, 'own-id'],
    ['chargeback', -4_100n, 'amount-and-date'],
    ['payout', -4_000n, 'own-id'],
    ['payout', -2_300n, 'own-id'],
    ['return', 4_100n, 'amount-and-date'],
    ['return', 5_200n, 'amount-and-date'],
  ]);
});
