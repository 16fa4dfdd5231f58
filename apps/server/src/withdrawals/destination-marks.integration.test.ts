/**
 * Staff of the operator find withdrawals by their destination in any spelling, and no destination can be read
 * (SRV-1).
 */
import { lookupResponseSchema } from '@opencashier/contract/operator';
import * as v from 'valibot';
import { beforeEach, expect, test } from 'vitest';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import type { Database } from '../database/database.ts';
import { findPayments } from '../operator-api/lookup/payment-lookup.ts';
import { type OperatorApi, withOperatorApi } from '../operator-api/operator-api.fixture.ts';
import { type Bench, createBench, refOf, SECRET } from '../payments/testing/payments.fixture.ts';
import { createDataKeys } from '../sealing/data-keys.ts';
import { destinationMarks } from './destination-marks.ts';
import { intent, richUser } from './withdrawals.fixture.ts';

let database: Database;
let bench: Bench;
let api: OperatorApi;
withOperatorApi((made) => {
  ({ database, bench, api } = made);
});
beforeEach(() => {
  bench.provider.onWithdraw = async ({ withdrawalId }) => ({ kind: 'accepted', providerRef: refOf(withdrawalId) });
});

let accounts = 0;
/** Makes a paid withdrawal to a new account. Its fields are deleted after the payout. */
async function withdrawn({ payments }: Bench = bench) {
  accounts += 1;
  const accountNumber = `408178100999${String(10_000_000 + accounts)}`;
  const caller = await richUser(database);
  const fields = { bank: '100000000008', accountNumber, bic: '044525225', fullName: 'Anita Rao' };
  const command = intent(caller, { paymentMethod: 'payout_bank', fields, amount: '100' });
  await payments.withdrawals.create(command);
  await payments.withdrawals.confirm(caller, command.request.withdrawalId);
  return { accountNumber, id: command.request.withdrawalId };
}

const found = async (find: string, operatorId?: string) => {
  const { body } = await api.ask('/payments/find', { find }, operatorId);
  return v.parse(lookupResponseSchema, body).payments.map(({ id, matchedBy }) => ({ id, matchedBy }));
};

test('[SRV-1] a destination is found in any spelling, and only by its own operator', async () => {
  const { accountNumber, id } = await withdrawn();
  const wanted = [{ id, matchedBy: ['destination'] }];
  expect(await found(accountNumber)).toEqual(wanted);
  expect(await found((accountNumber.match(/.{1,4}/g) ?? []).join(' '))).toEqual(wanted);
  expect(await found(accountNumber.slice(1))).toEqual([]);
  expect(await found('Anita Rao')).toEqual([]);
  expect(await found(accountNumber, 'other')).toEqual([]);
  // Also before the confirmation, and by staff at the command line.
  const marks = destinationMarks(createDataKeys([SECRET]), accountNumber);
  expect((await findPayments(database, undefined, accountNumber, marks)).payments.map((one) => one.id)).toEqual([id]);
});

test('[SRV-1] a destination in a URL, which is logged, finds nothing, and no table stores a destination', async () => {
  const { accountNumber } = await withdrawn();
  const asked = await api.ask(`/payments?find=${accountNumber}`);
  expect(asked.body).toMatchObject({ payments: [] });
  for (const table of ['withdrawal', 'withdrawal_destination', 'webhook_delivery', 'outbox']) {
    const rows = await database.query({
      text: `select 1 from ${table} where position($1 in ${table}::text) > 0`,
      values: [accountNumber],
    });
    expect(rows, table).toEqual([]);
  }
  expect(JSON.stringify(bench.logs)).not.toContain(accountNumber);
});

test('[SRV-1] a destination is found under an older key that is still in the settings', async () => {
  const { accountNumber, id } = await withdrawn();
  const rotated = createDataKeys(['another secret', SECRET]);
  const later = createBench(database, { dataKeys: rotated });
  later.provider.onWithdraw = bench.provider.onWithdraw;
  const under = async (name: string, keys = rotated) =>
    (await findPayments(database, 'op', name, destinationMarks(keys, name))).payments.map((one) => one.id);
  expect(await under(accountNumber)).toEqual([id]);
  const newer = await withdrawn(later);
  expect(await under(newer.accountNumber)).toEqual([newer.id]);
  expect(await under(accountNumber, createDataKeys(['another secret']))).toEqual([]);
});

test('[SRV-1] a destination is found at the command line, with the key in the settings', async () => {
  const key = 'k'.repeat(32);
  const keyed = createBench(database, { dataKeys: createDataKeys([key]) });
  keyed.provider.onWithdraw = bench.provider.onWithdraw;
  const { accountNumber, id } = await withdrawn(keyed);
  const cli = (DATA_KEY: string) =>
    runCommand(`find "${accountNumber}" --json`, {
      environment: { DATABASE_URL: 'postgres://none/none', TOKEN_SECRET: 't'.repeat(32), DATA_KEY },
      open: keptOpen(database),
    });
  const { exitCode, out } = await cli(`${'n'.repeat(32)},${key}`);
  expect([exitCode, JSON.parse(out)]).toMatchObject([0, { id, matchedBy: ['destination'] }]);
  expect((await cli('')).exitCode).toBe(1);
});

test('[SRV-1] a search for a frequent destination uses the index and reads one page only', async () => {
  const mark = destinationMarks(createDataKeys([SECRET]), 'de89370400440532013000')[0];
  const { id } = await withdrawn();
  await database.query({
    text: `insert into withdrawal_destination (operator_id, mark, created_at, withdrawal_id)
      select 'op', $1, now() - make_interval(secs => n), $2 from generate_series(1, 20000) n`,
    values: [mark, id],
  });
  const plan = await database.query<{ 'QUERY PLAN': string }>({
    text: `explain (analyze, costs off, timing off, summary off) select went.withdrawal_id
      from unnest(array[$1::bytea]) wanted(mark) cross join lateral (select withdrawal_id from withdrawal_destination place
        where place.operator_id = 'op' and place.mark = wanted.mark order by place.created_at desc limit 21) went`,
    values: [mark],
  });
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toMatch(/Index.* Scan Backward using withdrawal_destination_pkey/);
  expect(text).not.toContain('Sort');
});
