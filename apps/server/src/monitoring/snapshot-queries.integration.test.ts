/** The queries of the metrics read indexes of what waits, whatever the database holds. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateFilled } from '../database/filled-database.fixture.ts';
import { rolledBack } from '../database/testing/rolled-back.fixture.ts';
import { openEmptyTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { comparedChains } from './compared-chains-query.ts';
import { createSnapshot } from './snapshot.ts';
import { SNAPSHOT_QUERIES } from './snapshot-queries.ts';
import { unmatchedQuery } from './unmatched-query.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openEmptyTestDatabase();
  await migrateFilled(opened.database);
});
afterAll(() => opened.drop());

/** The index of each query. Each holds only rows that wait, or is read by its key. */
const INDEX: Readonly<Record<string, RegExp>> = {
  'unknown-deposits': /deposit_of_unknown_outcome/,
  'open-withdrawals': /withdrawal_open_by_age/,
  'late-payouts': /withdrawal_review_listed/,
  'stopped-transfers': /payout_transfer_stopped/,
  'bank-messages': /bank_message_queue_pkey[\s\S]*bank_step_set_aside_open/,
  'payout-files': /payout_transfer_filed[\s\S]*payout_file_pkey/,
  'short-card-payouts': /withdrawal_open_by_age[\s\S]*payout_refund_in_order/,
  'coin-payouts': /coin_payout_open/,
  'coin-payout-fees': /coin_payout_fee_open/,
  'hot-wallets': /coin_wallet_pkey/,
  'doubted-wallets': /coin_wallet_pkey/,
  'shared-wallets': /shared_balance_latest/,
  'open-refunds': /refund_due/,
  suspense: /payment_in_suspense/,
  'settlement-mismatches': /settlement_mismatch_waiting/,
  'unclosed-days': /day_close_once/,
  pushes: /outbox_pkey/,
  webhooks: /webhook_queue_pkey/,
  'webhook-receivers': /webhook_queue_(?:pkey|due)/,
  'wallet-calls': /operator_wallet_queue_pkey/,
  callbacks: /inbox_queue_due/,
  'callbacks-set-aside': /inbox_queue_dead/,
  'parked-deposit-events': /deposit_event_of_ref/,
  'retried-deposit-events': /deposit_event_(?:due|of_ref)/,
  'parked-withdrawal-events': /withdrawal_event_of_ref/,
  'retried-withdrawal-events': /withdrawal_event_(?:due|of_ref)/,
  maintenance: /maintenance_run/,
};

test.each(SNAPSHOT_QUERIES)('[SRV-9] $name reads its index and no table as a whole', async ({ name, text }) => {
  const plan = await opened.database.transaction(async (transaction) => {
    await transaction.query({ text: `select set_config('enable_seqscan', 'off', true)` });
    const lines = await transaction.query<{ 'QUERY PLAN': string }>({ text: `explain ${text}` });
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  });
  expect(plan).toMatch(INDEX[name] ?? /no index is named for this query/);
  expect(plan).not.toMatch(/Seq Scan on (?!operator\b|maintenance_run\b|webhook_circuit\b|receiver\b|lane\b)/);
});

test('[SRV-9] every query runs, a query that fails leaves only its own numbers out, and old numbers are left out', async () => {
  const { database } = opened;
  const warned: object[] = [];
  const facts: object[] = [];
  let now = 0;
  const counted = { ...database, measure: (fact: object) => void facts.push(fact) };
  const broken = { name: 'broken', read: () => Promise.reject(new Error('no such table')) };
  const snapshot = createSnapshot(counted, {
    clock: { now: () => now },
    logger: { warn: (fields) => void warned.push(fields) },
    extra: [broken, unmatchedQuery, comparedChains(['tron', 'bitcoin'])],
  });
  await snapshot.work.claim([]);
  expect(warned).toMatchObject([{ query: 'broken' }]);
  expect(facts).toEqual([{ metric: 'snapshotFailures', labels: { query: 'broken' } }]);
  const samplesOf = (name: string) => snapshot.gauges.find((gauge) => gauge.name === name)?.samples() ?? [];
  expect(samplesOf('cashier_webhooks_waiting')).toEqual([{ gauge: 'cashier_webhooks_waiting', labels: {}, value: 1 }]);
  expect(samplesOf('cashier_callbacks_waiting')).toMatchObject([{ labels: { provider: 'sandbox' }, value: 1 }]);
  expect(samplesOf('cashier_maintenance_faults')).toMatchObject([{ labels: { kind: 'audit' }, value: 0 }]);
  // No server has watched bitcoin yet. It is missed, too.
  expect(samplesOf('cashier_chain_uncompared_seconds')).toMatchObject([
    { labels: { chain: 'tron' } },
    { labels: { chain: 'bitcoin' } },
  ]);
  now += 5 * 60_000;
  expect(samplesOf('cashier_webhooks_waiting')).toEqual([]);
  expect(samplesOf('cashier_snapshot_age_seconds')[0]?.value).toBeGreaterThanOrEqual(300);
});

test('[SRV-1] a chain that no server watches is uncompared since the first look of the process', async () => {
  const query = comparedChains(['tron', 'bitcoin']);
  const agesAfter = async (change: string) => {
    const ages = await rolledBack(opened.database, async (transaction) => {
      await transaction.query({ text: change });
      return query.read(transaction);
    });
    return Object.fromEntries(ages.map(({ labels, value }) => [labels['chain'], Math.round(value / 3_600)]));
  };
  const change = `update crypto_chain set opened_at = now() - interval '2 hours', compared_at = null`;
  expect(await agesAfter(change)).toEqual({ tron: 2, bitcoin: 0 });
  const rows = [{ chain: 'bitcoin', at: null, now: new Date(Date.now() + 40 * 3_600_000) }];
  const found = await query.read({ query: async () => rows as never });
  expect(found.map(({ value }) => Math.round(value / 3_600))).toEqual([40]);
});

test('[SRV-9] [WD-2] payouts that wait for staff are counted by what they wait for, and no others', async () => {
  await rolledBack(opened.database, async (transaction) => {
    const change = (text: string) => transaction.query({ text });
    const shown = async () => {
      const samples: Record<string, number> = {};
      for (const { name, text, samplesOf } of SNAPSHOT_QUERIES) {
        if (!['stopped-transfers', 'payout-files', 'short-card-payouts'].includes(name)) continue;
        for (const { gauge, labels, value } of samplesOf(await transaction.query({ text }))) {
          samples[[gauge, ...Object.values(labels)].join(' ')] = Math.round(value / 60) * 60 || value;
        }
      }
      return samples;
    };
    const none = { cashier_payout_transfers_stopped: 0, cashier_card_payouts_short: 0 };
    await change(`alter table payout_file disable trigger payout_file_guarded`);
    await change(`update payout_file set built_at = now() - interval '2 hours'`);
    expect(await shown()).toEqual({
      ...none,
      'cashier_payout_files_open not-handed-over': 1,
      'cashier_oldest_payout_file_seconds not-handed-over': 7_200,
    });
    await change(`update payout_file set state = 'handed', downloaded_by = 'ann', downloaded_at = now() - interval '1 hour',
      handed_by = 'bob', handed_at = now() - interval '30 minutes'`);
    expect(await shown()).toEqual({
      ...none,
      'cashier_payout_files_open no-answer': 1,
      'cashier_oldest_payout_file_seconds no-answer': 1_800,
    });
    await change(`update payout_transfer set state = 'stopped', reason = 'AM04'`);
    await change(`update payout_refund set state = 'declined'`);
    expect(await shown()).toMatchObject({ cashier_payout_transfers_stopped: 1, cashier_card_payouts_short: 1 });
    // The bank has executed it, and another payment of the card pays the missing part.
    await change(`update payout_transfer set state = 'paid', payee = null, payee_key = null`);
    await change(`insert into payout_refund (operator_id, id, withdrawal_id, payment_id, amount, position)
      select operator_id, gen_random_uuid(), withdrawal_id, payment_id, amount, 2 from payout_refund`);
    expect(await shown()).toEqual(none);
    return true;
  });
});

test('[SRV-9] [WD-2] bank messages that are being read and steps that are set aside have a number and an age', async () => {
  await rolledBack(opened.database, async (transaction) => {
    const change = (text: string) => transaction.query({ text });
    const query = SNAPSHOT_QUERIES.find(({ name }) => name === 'bank-messages');
    const shown = async () => {
      const samples = query?.samplesOf(await transaction.query({ text: query.text })) ?? [];
      return Object.fromEntries(
        samples.map(({ gauge, value }) => [gauge, Math.round(value / 60) * 60 || Math.round(value)]),
      );
    };
    expect(await shown()).toMatchObject({ cashier_bank_messages_unfinished: 1, cashier_bank_steps_set_aside: 1 });
    await change('alter table bank_step_set_aside disable trigger bank_step_set_aside_guarded');
    await change(`update bank_step_set_aside set set_aside_at = now() - interval '2 hours'`);
    expect(await shown()).toMatchObject({ cashier_oldest_set_aside_bank_step_seconds: 7_200 });
    await change(`update bank_step_set_aside set outcome = 'applied', ended_by = 'ann', ended_at = now()`);
    await change('delete from bank_message_queue');
    expect(await shown()).toEqual({ cashier_bank_messages_unfinished: 0, cashier_bank_steps_set_aside: 0 });
    return true;
  });
});

/** Copies of one row that ended, so that the table is large and nothing more waits. Rules that check a whole payment are off. */
const COPIES: Readonly<Record<string, string>> = {
  deposit: `'id', gen_random_uuid(), 'client_key', gen_random_uuid(), 'provider_ref', null, 'check_at', null, 'state', 'expired', 'rank', 80,
    'paid', null, 'credited', null, 'review', null`,
  withdrawal: `'id', gen_random_uuid(), 'client_key', gen_random_uuid(), 'provider_ref', null, 'check_at', null, 'state', 'paid', 'rank', 90`,
  payment: `'id', gen_random_uuid(), 'deposit_id', gen_random_uuid(), 'provider_ref', gen_random_uuid(), 'state', 'credited', 'review', null,
    'review_since', null`,
  refund: `'id', gen_random_uuid(), 'refund_id', gen_random_uuid(), 'payment_id', gen_random_uuid(), 'state', 'succeeded', 'check_at', null`,
  deposit_event: `'event_id', gen_random_uuid(), 'status', 'applied', 'next_at', null, 'body', null, 'body_id', gen_random_uuid()`,
  withdrawal_event: `'event_id', gen_random_uuid(), 'status', 'applied', 'next_at', null, 'body', null, 'body_id', gen_random_uuid()`,
};

test('[SRV-9] the queries read a few pages of a database that holds many rows', async () => {
  const { database } = opened;
  for (const [table, change] of Object.entries(COPIES)) {
    await database.transaction(async (transaction) => {
      await transaction.query({
        text: 'set local session_replication_role = replica; set local statement_timeout = 0',
      });
      await transaction.query({
        text: `insert into ${table} select (jsonb_populate_record(one, jsonb_build_object(${change}))).*
          from (select one from ${table} one limit 1) one, generate_series(1, 5000)`,
      });
    });
    await database.query({ text: `analyze ${table}` });
  }
  interface Plan {
    readonly 'QUERY PLAN': readonly { readonly Plan: Readonly<Record<string, number>> }[];
  }
  const pages = new Map<string, number>();
  for (const { name, text } of SNAPSHOT_QUERIES) {
    const [row] = await database.query<Plan>({ text: `explain (analyze, buffers, format json) ${text}` });
    const plan = row?.['QUERY PLAN'][0]?.Plan ?? {};
    pages.set(name, (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0));
  }
  const [size] = await database.query<{ pages: number }>({
    text: `select (pg_relation_size('deposit') / 8192)::int as pages`,
  });
  expect(size?.pages).toBeGreaterThan(200);
  expect([...pages.entries()].filter(([, read]) => read > 60)).toEqual([]);
});
