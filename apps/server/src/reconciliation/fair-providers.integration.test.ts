/** A hanging provider does not delay the payments of other providers (SRV-6). */
import { createTestClock, type TestClock } from '@opencashier/core/time/test-clock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Database } from '../database/database.ts';
import { STOP_GRACE_MS } from '../jobs/due-worker.ts';
import { userBalance } from '../ledger/ledger.ts';
import {
  ann,
  type Bench,
  callbackOf,
  commandOf,
  createBench,
  createFakeCatalogue,
  createFakeProvider,
  type FakeProvider,
  reportOf,
} from '../payments/testing/payments.fixture.ts';
import { untilSo } from '../payments/testing/until.fixture.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';

let database: Database;
withPayments((made) => {
  ({ database } = made);
});

const healthyName = 'healthy';
/** Two methods, each of another provider. */
const shared = createFakeCatalogue();
const catalogue: Catalogue = {
  ...shared,
  method(query) {
    const card = shared.method({ ...query, name: 'card' });
    return card && query.name === 'healthy' ? { ...card, name: 'healthy', provider: healthyName } : card;
  },
};
const hangs = () => new Promise<never>(() => undefined);
const caller = { ...ann, userId: 'fair' };
let bench: Bench;
let healthy: FakeProvider;
let clock: TestClock;

beforeEach(() => {
  clock = createTestClock();
  const hanging = createFakeProvider();
  healthy = createFakeProvider(healthyName);
  bench = createBench(database, {
    clock,
    catalogue,
    providers: new Map([
      [hanging.name, hanging],
      [healthy.name, healthy],
    ]),
  });
  hanging.onInquire = hangs;
  hanging.onRefund = hangs;
  hanging.onInputs = hangs;
});

afterEach(async () => {
  const stopped = bench.payments.stop();
  await clock.advanceAsync(STOP_GRACE_MS * 3);
  await stopped;
  // Rows that a stopped worker gives back may still be on their way. A transaction is repeated when the two meet in a deadlock.
  await database.transaction((transaction) =>
    transaction.query({ text: "update deposit set check_at = null, expires_at = now() + interval '1 day'" }),
  );
});

/** Opens twenty-five overdue payments at the hanging provider, and one at the healthy provider. */
async function payments(): Promise<string> {
  for (let n = 0; n < 25; n += 1) await bench.payments.createDeposit(commandOf({}, caller));
  const command = commandOf({ paymentType: 'healthy' }, caller);
  await bench.payments.createDeposit(command);
  return command.request.depositId;
}

const creditedBy = async (): Promise<bigint> => userBalance(database, 'op', caller.userId, 'INR');

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  bench.payments.startWorkers();
  await clock.advanceAsync(1);
  await untilSo(clock, isSo);
}

test('[SRV-6] a payment with a lost callback is found while another provider hangs', async () => {
  const depositId = await payments();
  await database.query({
    text: `update deposit set check_at = now() - case when provider = $1 then interval '0' else interval '1 hour' end
      where user_id = $2`,
    values: [healthyName, caller.userId],
  });
  const before = await creditedBy();
  healthy.onInquire = async () => reportOf(depositId, { provider: healthyName });
  await until(async () => (await creditedBy()) === before + 50_000n);
});

test('[SRV-6] a payment of a healthy provider expires in time while another provider hangs', async () => {
  const depositId = await payments();
  await database.query({
    text: `update deposit set check_at = null, expires_at = now() - case when provider = $1 then interval '1 second'
        else interval '5 minutes' end where user_id = $2 and state = 'awaiting_payment'`,
    values: [healthyName, caller.userId],
  });
  healthy.onInquire = async () => undefined;
  await until(async () => {
    const [row] = await database.query<{ state: string }>({
      text: 'select state from deposit where id = $1',
      values: [depositId],
    });
    return row?.state === 'expired';
  });
});

test('[SRV-4] callbacks of a healthy provider are read while another provider hangs', async () => {
  const depositId = await payments();
  const hanging = createFakeProvider();
  const reader = createBench(database, {
    clock,
    catalogue,
    providers: new Map([
      ['fake', { ...hanging, read: hangs }],
      [healthyName, healthy],
    ]),
  });
  for (let n = 0; n < 25; n += 1) await reader.payments.receiveCallback('fake', callbackOf(reportOf(depositId)));
  const paid = reportOf(depositId, { provider: healthyName });
  const before = await creditedBy();
  await reader.payments.receiveCallback(healthyName, callbackOf(paid));
  bench = reader;
  await until(async () => (await creditedBy()) === before + 50_000n);
  // A hanging callback times out and is tried again, like any other failure.
  await clock.advanceAsync(10_000);
  await until(() => bench.logs.some(({ message }) => message === 'callback failed'));
});

test('[SRV-9] a stopping node releases its claimed rows', async () => {
  await payments();
  await database.query({
    text: 'update deposit set check_at = now() where user_id = $1',
    values: [caller.userId],
  });
  const isDue = async (): Promise<number> => {
    const [row] = await database.query<{ due: number }>({
      text: 'select count(*)::int as due from deposit where user_id = $1 and check_at <= now() and checks = 0',
      values: [caller.userId],
    });
    return row?.due ?? -1;
  };
  const all = await isDue();
  await until(async () => (await isDue()) <= all - 10);
  const stopped = bench.payments.stop();
  await clock.advanceAsync(STOP_GRACE_MS + 1_000);
  await stopped;
  expect(await isDue()).toBeGreaterThanOrEqual(25);
});
