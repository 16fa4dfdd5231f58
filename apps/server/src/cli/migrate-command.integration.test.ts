import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantToApplication } from '../database/application-role.ts';
import type { Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { makePartitions } from '../database/partitions.ts';
import { schema } from '../database/schema-files.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { type Bench, createBench, reportOf, seedOperator } from '../payments/testing/payments.fixture.ts';
import { openDepositOf } from '../payments/testing/with-payments.fixture.ts';
import { coinBalances } from '../settlements/chain-books.ts';
import { intent, reportOn, richUser } from '../withdrawals/withdrawals.fixture.ts';
import { keptOpen, runCommand } from './run-command.fixture.ts';

const role = `app_${randomUUID().replaceAll('-', '')}`;
let opened: TestDatabase;
let application: Database;
let bench: Bench;

/** As a connection of that role: each statement and transaction takes its rights. */
function under(database: Database, name: string): Database {
  const transaction: Database['transaction'] = (work) =>
    database.transaction(async (inner) => {
      await inner.query({ text: `set local role ${name}` });
      return work(inner);
    });
  return { ...database, transaction, query: (statement) => transaction((inner) => inner.query(statement)) };
}

beforeAll(async () => {
  opened = await openTestDatabase();
  await seedOperator(opened.database, { url: 'https://operator.example/hook', secrets: [] });
  const printed = await runCommand('migrate', {
    environment: {
      DATABASE_URL: `postgres://${role}:pass%27word@database.example/cashier`,
      DATABASE_OWNER_URL: 'postgres://owner@database.example/cashier',
    },
    open: keptOpen(opened.database),
  });
  expect(printed).toEqual({
    exitCode: 0,
    errors: '',
    progress: '',
    out: `Applied 0 migrations.\nCreated the role ${role}.\nThe role ${role} may use the tables, but not change their structure.\n`,
  });
  application = under(opened.database, role);
  bench = createBench(application);
});
afterAll(async () => {
  await opened.database.query({ text: `drop owned by ${role}; drop role ${role}` });
  await opened.drop();
});

test('[SRV-2] under its own role the application creates, credits, holds, pays out and reverses', async () => {
  const deposit = await openDepositOf(bench);
  await bench.payments.apply(reportOf(deposit.depositId));
  await bench.payments.apply(reportOf(deposit.depositId, { outcome: 'reversed' }));
  const late = await openDepositOf(bench);
  await bench.payments.apply(reportOf(late.depositId, { paidMinor: 40_000n }));
  await bench.payments.resolveReview({ operatorId: 'op', id: late.depositId }, 'credit', 'sam');
  const refunded = await openDepositOf(bench);
  await bench.payments.apply(reportOf(refunded.depositId));
  const refundId = randomUUID();
  await bench.payments.refundDeposit({ operatorId: 'op', depositId: refunded.depositId, refundId, staff: 'sam' });

  const user = await richUser(application);
  const command = intent(user);
  const { withdrawalId } = command.request;
  await bench.payments.withdrawals.create(command);
  await bench.payments.withdrawals.confirm(user, withdrawalId);
  await bench.payments.withdrawals.apply(reportOn(withdrawalId));
  await bench.payments.runDueWork();
  expect(await bench.payments.withdrawals.status(user, withdrawalId)).toMatchObject({ status: 1 });
  expect(await auditLedger(application)).toMatchObject({ isSound: true, faults: [] });
});

test('[SRV-1] it compares a chain, whose sums it may not write', async () => {
  const reading = { chain: 'ethereum', height: 1, assets: [{ coin: 'ETH', contract: '', decimals: 18 }] };
  for (let round = 0; round < 2; round += 1) expect(await coinBalances(application, reading)).toEqual([]);
  const counted = await application.query({ text: 'select chain, contract from chain_sum_point' });
  expect(counted).toEqual([{ chain: 'ethereum', contract: '' }]);
});

describe('[SRV-2] it may not', () => {
  test.each([
    'truncate journal, posting cascade',
    'truncate deposit_history',
    'alter table journal disable trigger all',
    'alter table posting disable trigger postings_booked',
    'drop trigger journal_agrees on journal',
    'alter table account drop constraint account_not_overdrawn',
    'drop table posting cascade',
    'update account set balance = 1',
    'update journal set note = null',
    'delete from posting',
    `insert into deposit_history (operator_id, deposit_id, n, to_state, cause) values ('op', gen_random_uuid(), 1, 'credited', 'eve')`,
    `insert into journal_kind (kind, credits_user) values ('gift', true)`,
    `delete from deposit_event`,
    // Each of them could hide coins that are missing on a chain.
    `insert into chain_change (operator_id, chain, wallet, contract, sent) values ('op', 'ethereum', 'hot', '', 1)`,
    'delete from chain_change',
    'update chain_sum set sent = sent + 1',
    'delete from chain_sum_point',
    `delete from schema_migration`,
    'create table mine (n int)',
    'create temporary table mine (n int)',
    `select extend_partitions('telemetry_event', now() + interval '1 year', now() + interval '2 years', 'month')`,
    `create function public.mine() returns int language sql as 'select 1'`,
    'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$',
    `set session_replication_role = 'replica'`,
  ])('%s', async (text) => {
    const code = await application.query({ text }).then(
      () => 'accepted',
      (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
    );
    // 42501: insufficient privilege.
    expect(code).toBe('42501');
  });
});

test('[SRV-2] it may make missing partitions, but not use one past its table', async () => {
  const [part] = await opened.database.query<{ name: string }>({
    text: `select name from time_partition where parent = 'telemetry_event' order by since desc limit 1`,
  });
  await opened.database.query({ text: `drop table ${part?.name}` });
  expect(await makePartitions(application, opened.database.kind)).toBe(1);
  const read = application.query({ text: `select 1 from ${part?.name}` });
  await expect(read).rejects.toMatchObject({ code: '42501' });
  await application.query({ text: `insert into telemetry_event (source, key) values ('rum', 'load')` });
});

test('[SRV-2] a role that already has more rights is refused', async () => {
  const [me] = await opened.database.query<{ name: string }>({ text: 'select current_user as name' });
  await expect(grantToApplication(opened.database, me?.name ?? '')).rejects.toThrow('Give the application a role');
  await expect(grantToApplication(opened.database, 'nobody_at_all')).rejects.toThrow('no role');
});

test('[SRV-7] a role without rights to migrate starts if no migration is missing; else the error names the command', async () => {
  expect(await migrate(application)).toEqual([]);
  const migrations = [...schema.migrations, { name: '9999_more', sql: 'create table more (n int)' }];
  await expect(migrate(application, { ...schema, migrations })).rejects.toThrow('opencashier migrate');
});
