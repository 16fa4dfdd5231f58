/** Each decision of staff records the API key that sent it, since a name is only what the caller typed. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Database } from '../../database/database.ts';
import { ann, type Bench, commandOf, reportOf } from '../../payments/testing/payments.fixture.ts';
import { type OperatorApi, withOperatorApi } from '../operator-api.fixture.ts';

let database: Database;
let bench: Bench;
let api: OperatorApi;
withOperatorApi((made) => {
  ({ database, bench, api } = made);
});

const keyId = randomUUID();
const withKey = `op#${keyId}`;
const decision = () => ({ decisionId: randomUUID(), decidedBy: 'eve', reason: 'agreed' });

async function paid(more: Parameters<typeof reportOf>[1] = {}) {
  const caller = { ...ann, userId: `user-${randomUUID()}` };
  const command = commandOf({}, caller);
  const { depositId } = command.request;
  await bench.payments.createDeposit(command);
  await bench.payments.apply(reportOf(depositId, more));
  return { depositId, userId: caller.userId };
}

/** The keys of the decisions that a person has made. */
async function keysIn(table: string, column: 'staff' | 'decided_by', person = 'eve') {
  const rows = await database.query<{ key: string | null }>({
    text: `select key_id as key from ${table} where ${column} = $1`,
    values: [person],
  });
  return rows.map(({ key }) => key);
}

test('[SRV-1] a refund and the decision of a review', async () => {
  const { depositId } = await paid();
  const refund = { refundId: randomUUID(), staff: 'eve' };
  expect((await api.ask(`/transactions/${depositId}/refund`, refund, withKey)).status).toBe(200);
  expect(await keysIn('refund', 'staff')).toContain(keyId);
  const under = await paid({ paidMinor: 30_000n });
  const resolved = { decision: 'credit', staff: 'eve' };
  expect((await api.ask(`/reviews/deposit-${under.depositId}-1/resolve`, resolved, withKey)).status).toBe(200);
  expect(await keysIn('review_decision', 'staff')).toEqual([keyId]);
});

test('[SRV-1] the release of a frozen account and the settlement of its debt', async () => {
  const { depositId, userId } = await paid();
  const spent = { transferId: randomUUID(), currency: 'INR', from: 'main', to: 'operator', amount: '400.00' };
  await api.ask(`/users/${userId}/transfers`, spent);
  await bench.payments.apply(reportOf(depositId, { outcome: 'reversed' }));
  const account = { userId, currency: 'INR' };
  expect((await api.ask('/frozen-accounts/release', { ...account, ...decision() }, withKey)).status).toBe(200);
  expect((await api.ask('/debts/settle', { ...account, ...decision(), from: 'operator' }, withKey)).status).toBe(200);
  expect([await keysIn('account_release', 'decided_by'), await keysIn('debt_settlement', 'decided_by')]).toEqual([
    [keyId],
    [keyId],
  ]);
});

test('[SRV-1] without the id of a key, as on the command line, none is recorded', async () => {
  const { depositId } = await paid();
  await api.ask(`/transactions/${depositId}/refund`, { refundId: randomUUID(), staff: 'bob' });
  expect(await keysIn('refund', 'staff', 'bob')).toEqual([null]);
});
