import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller } from '../calls/caller.ts';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { openTestDatabase, type TestDatabase } from '../database/test-database.ts';
import { accountBalance } from '../ledger/ledger.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { ann, type Bench, commandOf, createBench, evidenceOf, seedOperator } from '../payments/payments.fixture.ts';
import { failure, wish } from '../payments/withdrawals/withdrawals.fixture.ts';
import { frozenPageSchema } from './frozen-account-schemas.ts';
import { type OperatorApi, openOperatorApi } from './operator-api.fixture.ts';

let opened: TestDatabase;
let database: Database;
let bench: Bench;
let api: OperatorApi;
beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
  await seedOperator(database, { url: 'https://operator.example/hook', secrets: [] });
  await database.query({ text: `insert into operator (id, partner_key, name) values ('other', 'other', 'Other')` });
  bench = createBench(database);
  api = await openOperatorApi(database, bench.payments);
});
afterAll(async () => {
  expect((await auditLedger(database)).isSound).toBe(true);
  await opened.drop();
});

/** Puts money of the operator's on a user's account. */
const give = (userId: string, amount: string) =>
  api.ask(`/users/${userId}/transfers`, {
    transferId: randomUUID(),
    currency: 'INR',
    from: 'operator',
    to: 'main',
    amount,
  });

/** Somebody of whose deposit of 500.00 INR a part was spent before it was taken back. */
async function frozenUser(spent: string): Promise<Caller> {
  const caller = { ...ann, userId: `frozen-${randomUUID()}` };
  const command = { ...commandOf(), caller };
  await bench.payments.createDeposit(command);
  const { depositId } = command.request;
  await bench.payments.apply(evidenceOf(depositId));
  const transfer = { transferId: randomUUID(), currency: 'INR', from: 'main', to: 'operator', amount: spent };
  expect((await api.ask(`/users/${caller.userId}/transfers`, transfer)).status).toBe(200);
  await bench.payments.apply(evidenceOf(depositId, { outcome: 'reversed' }));
  return caller;
}

const release = (userId: string, more: object = {}, operatorId?: string) =>
  api.ask(
    '/frozen-accounts/release',
    { userId, currency: 'INR', decisionId: randomUUID(), decidedBy: 'eve', reason: 'pays by the month', ...more },
    operatorId,
  );
const listed = async (query = '', operatorId?: string) =>
  v.parse(frozenPageSchema, (await api.ask(`/frozen-accounts${query}`, undefined, operatorId)).body);
const debtOf = ({ userId }: Caller) =>
  accountBalance(database, 'op', { owner: userId, asset: 'INR', kind: 'reversal_debt' });

test('[SRV-1] frozen accounts are listed with what is owed, the oldest first and page by page, to their operator alone', async () => {
  const users = [await frozenUser('400.00'), await frozenUser('0.01'), await frozenUser('500.00')];
  const { accounts } = await listed();
  expect(accounts).toMatchObject([
    { userId: users[0]?.userId, currency: 'INR', debt: '400.00' },
    { userId: users[1]?.userId, currency: 'INR', debt: '0.01' },
    { userId: users[2]?.userId, currency: 'INR', debt: '500.00' },
  ]);
  const paged: typeof accounts = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const page = await listed(`?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
    paged.push(...page.accounts);
    cursor = page.nextCursor;
  }
  expect(paged).toEqual(accounts);
  expect(await listed('', 'other')).toEqual({ accounts: [] });
  expect((await api.ask('/frozen-accounts?cursor=x')).code).toBe('invalid-request');
});

test('[SRV-1] [SRV-2] a release lets money leave again, once per decision and by name; the debt stays', async () => {
  const caller = await frozenUser('400.00');
  const { userId } = caller;
  await give(userId, '2000.00');
  const withdraw = () => failure(bench.payments.withdrawals.create(wish(caller)));
  expect(await withdraw()).toMatchObject({ code: 'method-unavailable' });

  const decisionId = randomUUID();
  const { status, body } = await release(userId, { decisionId });
  expect(status).toBe(200);
  expect(body).toMatchObject({ decisionId, userId, currency: 'INR', debt: '400.00', decidedBy: 'eve' });
  expect((await listed()).accounts.map((one) => one.userId)).not.toContain(userId);
  expect(await debtOf(caller)).toBe(-40_000n);
  expect(await withdraw()).toMatchObject({ code: 'ok' });

  expect((await release(userId, { decisionId, reason: 'said better' })).body).toEqual(body);
  expect((await release(userId, { decisionId, decidedBy: 'bob' })).code).toBe('idempotency-conflict');
  expect(await release(userId)).toMatchObject({ status: 409, code: 'state-conflict' });
  expect(await release(userId)).toMatchObject({ status: 409, code: 'state-conflict' });
  const kept = await database.query({
    text: `select decided_by, reason, debt from account_release join account on account.id = account_id where owner = $1`,
    values: [userId],
  });
  expect(kept).toEqual([{ decided_by: 'eve', reason: 'pays by the month', debt: 40_000n }]);
});

test('[SRV-1] of decisions at the same moment one releases the account', async () => {
  const { userId } = await frozenUser('100.00');
  const codes = (await Promise.all(Array.from({ length: 20 }, () => release(userId)))).map(({ code }) => code);
  expect(codes.toSorted()).toEqual(['ok', ...Array.from({ length: 19 }, () => 'state-conflict')]);
});

test('[SRV-1] nobody else’s account, none that is not there, and nothing without a name and a reason', async () => {
  const { userId } = await frozenUser('100.00');
  expect(await release(userId, {}, 'other')).toMatchObject({ status: 404, code: 'not-found' });
  expect(await release(userId, { currency: 'USD' })).toMatchObject({ status: 404 });
  expect(await release('nobody')).toMatchObject({ status: 404 });
  for (const path of ['decisionId', 'decidedBy', 'reason', 'userId', 'currency'])
    expect(await release(userId, { [path]: '' })).toMatchObject({
      status: 400,
      body: { error: { fields: [{ path }] } },
    });
  expect((await listed()).accounts.at(-1)).toMatchObject({ userId, debt: '100.00' });
});

test('[SRV-2] no freeze ends past the history, and the history never changes', async () => {
  const { userId } = await frozenUser('100.00');
  const refused = (text: string) =>
    database.query({ text, values: [userId] }).then(
      () => undefined,
      (error: unknown) => constraintOf(error),
    );
  const unfreeze = 'update account set frozen_at = null where owner = $1';
  expect(await refused(unfreeze)).toBe('account_released_by_name');
  await release(userId);
  const rewrite = `update account_release set decided_by = 'bob' where account_id in (select id from account where owner = $1)`;
  expect(await refused(rewrite)).toBe('ledger_immutable');
});
