/** Payments of two operators of one provider. The provider names a deposit without its operator, so no name is ever shared. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { ann, type Bench, commandOf, createBench, refOf, reportOf, seedOperator } from './testing/payments.fixture.ts';

const eve = { ...ann, operatorId: 'other', partnerKey: 'pk2' };

let opened: TestDatabase;
let database: Database;
let bench: Bench;
beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
  await seedOperator(database);
  await database.query({ text: `insert into operator (id, partner_key, name) values ('other', 'pk2', 'Other')` });
  bench = createBench(database);
});
afterAll(() => opened.drop());

/** Makes a deposit of each operator. */
async function twoDeposits(): Promise<[string, string]> {
  const [one, two] = [commandOf(), commandOf({}, eve)];
  await bench.payments.createDeposit(one);
  await bench.payments.createDeposit(two);
  return [one.request.depositId, two.request.depositId];
}

async function violated(text: string, values: readonly unknown[]): Promise<string | undefined> {
  return database.query({ text, values: [...values] }).then(() => undefined, constraintOf);
}

test('[SRV-6] a key that another operator’s user has taken makes a deposit with another id', async () => {
  const one = commandOf();
  await bench.payments.createDeposit(one);
  const { depositId } = one.request;
  await bench.payments.createDeposit(commandOf({ depositId }, eve));
  const rows = await database.query<{ id: string; operator: string; ref: string }>({
    text: 'select id, operator_id as operator, provider_ref as ref from deposit where client_key = $1 order by operator_id',
    values: [depositId],
  });
  const [mine, theirs] = rows;
  expect(mine).toEqual({ id: depositId, operator: 'op', ref: refOf(depositId) });
  expect(theirs).toMatchObject({ operator: 'other', ref: refOf(theirs?.id ?? '') });
  expect(theirs?.id).not.toBe(depositId);
});

test('[SRV-3] a report that names deposits of two operators is kept as unmatched', async () => {
  const [mine, theirs] = await twoDeposits();
  const report = reportOf(mine, { providerRef: refOf(theirs) });
  expect(await bench.payments.apply(report)).toEqual({ outcome: 'unmatched' });
  expect(
    await bench.payments.apply(reportOf(mine, { providerRef: `second-${mine}`, outcome: 'pending' })),
  ).toMatchObject({
    id: mine,
  });
  const [event] = await database.query({
    text: 'select outcome from deposit_event where event_id = $1',
    values: [report.eventId],
  });
  expect(event).toEqual({ outcome: 'reused-ref' });
});

test('[SRV-6] a provider’s reference has one deposit, also of two operators', async () => {
  const [mine, theirs] = await twoDeposits();
  const rename = `update deposit set provider_ref = $2 where id = $1`;
  const open = commandOf({}, eve);
  await bench.payments.createDeposit(open);
  expect(await violated(rename, [theirs, refOf(mine)])).toBe('deposit_immutable');
  const insert = `with taken as (
      insert into deposit_key (operator_id, user_id, client_key, deposit_id) values ($2, 'ann', $1, $1))
    insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, provider_ref, currency,
      amount, country, state, rank, request, lifetime_s, expires_at)
    values ($1, $2, 'ann', $1, sha256('x'), 'card', 'fake', $3, 'INR', 100, 'IN', 'created', 10, '{}', 600, now())`;
  expect(await violated(insert, [randomUUID(), 'other', refOf(mine)])).toBe('deposit_provider_ref_once');
  expect(await violated(insert, [mine, 'other', null])).toBe('deposit_pkey');
  const unnamed = randomUUID();
  expect(await violated(insert, [unnamed, 'other', null])).toBeUndefined();
  expect(await violated(rename, [unnamed, refOf(mine)])).toBe('deposit_provider_ref_once');
  expect(await violated(rename, [unnamed, 'its-own'])).toBeUndefined();
});

test('[SRV-6] a deposit without its idempotency key is refused', async () => {
  const insert = `insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, currency,
      amount, country, state, rank, request, lifetime_s, expires_at)
    values ($1, 'op', 'ann', $1, sha256('x'), 'card', 'fake', 'INR', 100, 'IN', 'created', 10, '{}', 600, now())`;
  expect(await violated(insert, [randomUUID()])).toBe('deposit_key_once');
});

test('[SRV-2] a payment of one operator is never a payment of another, and stays with its operator', async () => {
  const [mine, theirs] = await twoDeposits();
  await bench.payments.apply(reportOf(mine));
  const insert = `insert into payment (id, operator_id, deposit_id, provider, provider_ref, origin, state, currency, amount, reason)
    values (gen_random_uuid(), $1, $2, 'fake', $3, 'further', 'in_review', 'INR', 100, 'late')`;
  expect(await violated(insert, ['other', theirs, refOf(mine)])).toBe('payment_reported_once');
  expect(await violated(insert, ['other', mine, 'free'])).toBe('payment_operator_id_deposit_id_fkey');
  expect(await violated(`update payment set operator_id = 'other' where deposit_id = $1`, [mine])).toBe(
    'payment_immutable',
  );
});
