/** A callback that is in hand for long is read once, and its lease is no failure (SRV-4). */
import { createTestClock, type TestClock } from '@opencashier/core/time/test-clock';
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { STOP_GRACE_MS } from '../jobs/due-worker.ts';
import type { Failpoint } from '../payment-ports/failpoints.ts';
import {
  type Bench,
  callbackOf,
  createBench,
  createFakeProvider,
  reportOf,
} from '../payments/testing/payments.fixture.ts';
import { untilSo } from '../payments/testing/until.fixture.ts';
import { creditsOf, openDepositOf, withPayments } from '../payments/testing/with-payments.fixture.ts';
import { MOST_TRIES } from './read-callbacks.ts';

let database: Database;
let bench: Bench;
let clock: TestClock;
withPayments((made) => {
  ({ database, bench } = made);
});
beforeEach(() => {
  clock = createTestClock();
});

async function rowOf(messageId: string) {
  const [row] = await database.query<{ status: string; tries: number; lease: number }>({
    text: `select status, tries, extract(epoch from next_at - now())::float8 as lease from inbox_queue where message_id = $1`,
    values: [messageId],
  });
  return row;
}

async function leaseEndsIn(seconds: number): Promise<void> {
  await database.query({
    text: 'update inbox_queue set next_at = now() + make_interval(secs => $1)',
    values: [seconds],
  });
}

const until = (isSo: () => boolean | Promise<boolean>): Promise<void> => untilSo(clock, isSo);

test('[SRV-4] a callback in hand is not read twice when its lease ends, and its lease is renewed', async () => {
  let release: (() => void) | undefined;
  let claims = 0;
  const passed: Failpoint[] = [];
  const node = createBench(
    {
      ...database,
      async query(statement) {
        if (statement.name === 'inbox-finish') await new Promise<void>((resolve) => (release = resolve));
        const rows = await database.query(statement);
        if (statement.name === 'inbox-claim') claims += 1;
        return rows as never;
      },
    },
    { clock, failpoint: (name) => void passed.push(name) },
  );
  const { depositId } = await openDepositOf(bench);
  await bench.payments.receiveCallback('fake', callbackOf(reportOf(depositId), 'long'));
  node.payments.startWorkers();
  await clock.advanceAsync(1);
  await until(() => release !== undefined);
  await leaseEndsIn(0);
  const before = claims;
  await clock.advanceAsync(1_000);
  await until(() => claims > before);
  await leaseEndsIn(1);
  await clock.advanceAsync(10_000);
  await until(async () => {
    await clock.advanceAsync(500);
    return ((await rowOf('long'))?.lease ?? 0) > 20;
  });
  expect(passed.filter((name) => name === 'callback-claimed')).toHaveLength(1);
  expect(await rowOf('long')).toMatchObject({ status: 'new', tries: 0 });
  release?.();
  await until(async () => (await rowOf('long')) === undefined);
  await node.payments.stop();
  expect(await creditsOf(database, depositId)).toBe(1);
});

test('[SRV-4] leases that end are no failures, so the first error sets no callback aside', async () => {
  const { depositId } = await openDepositOf(bench);
  await bench.payments.receiveCallback('fake', callbackOf(reportOf(depositId), 'leases'));
  const failing = (point: Failpoint) =>
    createBench(database, {
      failpoint: (name) => {
        if (name === point) throw new Error('crash');
      },
    });
  const dying = failing('callback-claimed');
  for (let leases = 0; leases < MOST_TRIES; leases += 1) {
    await dying.payments.runDueWork();
    await leaseEndsIn(0);
  }
  await failing('callback-applied').payments.runDueWork();
  expect(await rowOf('leases')).toMatchObject({ status: 'new', tries: 1 });
  await leaseEndsIn(0);
  await bench.payments.runDueWork();
  expect(await rowOf('leases')).toBeUndefined();
  expect(await creditsOf(database, depositId)).toBe(1);
});

test('[SRV-9] a node that stops gives its callbacks back at once, without a try', async () => {
  const { depositId } = await openDepositOf(bench);
  await bench.payments.receiveCallback('fake', callbackOf(reportOf(depositId), 'stop'));
  let reads = 0;
  const hanging = {
    ...createFakeProvider(),
    read() {
      reads += 1;
      return new Promise<never>(() => undefined);
    },
  };
  const node = createBench(database, { clock, providers: new Map([['fake', hanging]]) });
  node.payments.startWorkers();
  await clock.advanceAsync(1);
  await until(() => reads === 1);
  const stopped = node.payments.stop();
  await clock.advanceAsync(STOP_GRACE_MS);
  await until(async () => {
    await clock.advanceAsync(500);
    return ((await rowOf('stop'))?.lease ?? 1) <= 0;
  });
  await stopped;
  expect(await rowOf('stop')).toMatchObject({ status: 'new', tries: 0 });
  // Another node takes it now.
  await bench.payments.runDueWork();
  expect(await creditsOf(database, depositId)).toBe(1);
});
