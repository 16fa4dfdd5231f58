/** Pushes of credits: leased to the node that queued them, or claimed by any node (SRV-5). */
import { createTestClock, type TestClock } from '@opencashier/core/time/test-clock';
import { beforeEach, expect, test } from 'vitest';
import type { Database, Statement } from '../database/database.ts';
import { type Bench, callbackOf, createBench, reportOf } from '../payments/testing/payments.fixture.ts';
import { untilSo } from '../payments/testing/until.fixture.ts';
import { creditsOf, openDepositOf, withPayments } from '../payments/testing/with-payments.fixture.ts';

let database: Database;
let bench: Bench;
let clock: TestClock;
withPayments((made) => {
  ({ database, bench } = made);
});
beforeEach(async () => {
  clock = createTestClock();
  await bench.payments.runDueWork();
});

interface Waiting {
  readonly attempts: number;
  /** Seconds until a node may claim it. */
  readonly dueIn: number;
}

const waiting = (): Promise<Waiting[]> =>
  database.query({ text: `select attempts, extract(epoch from next_at - now())::float8 as "dueIn" from outbox` });

/** A node with running workers. */
async function running(options: Parameters<typeof createBench>[1] = {}, over = database): Promise<Bench> {
  const node = createBench(over, { clock, ...options });
  node.payments.startWorkers();
  await clock.advanceAsync(1);
  return node;
}

const until = (isSo: () => boolean | Promise<boolean>): Promise<void> => untilSo(clock, isSo);

test('[SRV-5] the node that credits sends its own pushes, and claims none', async () => {
  let claimed = 0;
  const node = await running(
    {},
    {
      ...database,
      async query<Row>(statement: Statement) {
        const rows = await database.query<Row>(statement);
        if (statement.name === 'push-claim') claimed += rows.length;
        return rows;
      },
    },
  );
  const opened = await Promise.all(Array.from({ length: 5 }, () => openDepositOf(bench)));
  for (const { depositId } of opened) await node.payments.receiveCallback('fake', callbackOf(reportOf(depositId)));
  await until(async () => node.pushes.length === opened.length && (await waiting()).length === 0);
  expect(claimed).toBe(0);
  expect(node.pushes.map(({ userId }) => userId).sort()).toEqual(opened.map(({ userId }) => userId).sort());
  expect(node.pushes[0]?.body).toMatchObject({ finalAmount: '500.00', status: 1 });
  await node.payments.stop();
});

test('[SRV-3] [SRV-5] another node sends the push of a node that died after the commit, when its lease ends', async () => {
  const { depositId, userId } = await openDepositOf(bench);
  const dying = await running({
    failpoint: (name) => {
      if (name === 'pushes-claimed') throw new Error('crash');
    },
  });
  await dying.payments.receiveCallback('fake', callbackOf(reportOf(depositId)));
  await until(async () => (await creditsOf(database, depositId)) === 1);
  const [leased] = await waiting();
  expect(leased?.attempts).toBe(1);
  expect(leased?.dueIn).toBeGreaterThan(5);
  expect(leased?.dueIn).toBeLessThanOrEqual(10);
  await bench.payments.runDueWork();
  expect(bench.pushes).toEqual([]);
  await database.query({ text: 'update outbox set next_at = now()' });
  await bench.payments.runDueWork();
  expect(bench.pushes).toEqual([expect.objectContaining({ userId })]);
  expect(await waiting()).toEqual([]);
  expect(dying.pushes).toEqual([]);
  await dying.payments.stop();
});

test('[SRV-5] a push that a node could not send stays queued, and is sent when its lease ends', async () => {
  const { depositId } = await openDepositOf(bench);
  const failing = await running({ pusher: { push: () => Promise.reject(new Error('no way to the other nodes')) } });
  await failing.payments.receiveCallback('fake', callbackOf(reportOf(depositId)));
  await until(() => failing.logs.some(({ message }) => message === 'push failed'));
  await failing.payments.stop();
  expect(await waiting()).toEqual([expect.objectContaining({ attempts: 1 })]);
  await database.query({ text: 'update outbox set next_at = now()' });
  await bench.payments.runDueWork();
  expect(bench.pushes).toHaveLength(1);
});
