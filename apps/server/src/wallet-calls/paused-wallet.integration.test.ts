/** A wallet that is paused after failures: a call that is not sent is not counted as a try, and nobody is alerted about it (SRV-2). */
import { createTestClock, type TestClock } from '@opencashier/core/time/test-clock';
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { walletCallPage } from '../operator-wallet/wallet-records.ts';
import { type Bench, reportOf } from '../payments/testing/payments.fixture.ts';
import { openDepositOf } from '../payments/testing/with-payments.fixture.ts';
import { endPauses, type FakeWallet, useWallet, withWalletPayments } from './fake-wallet.fixture.ts';

let database: Database;
let bench: Bench;
let wallet: FakeWallet;
let clock: TestClock;
withWalletPayments(
  (made) => {
    ({ database, bench, wallet } = made);
  },
  {
    options: () => {
      // The wallet verifies signatures by its own clock, within five minutes.
      clock = createTestClock(Date.now() - 250_000);
      return { clock };
    },
  },
);
beforeEach(() => useWallet(database, wallet));

test('[SRV-2] only calls that were sent count as tries, also in a long pause', async () => {
  wallet.always = 'broken';
  const { depositId } = await openDepositOf(bench);
  await bench.payments.apply(reportOf(depositId));
  const call = async () => {
    const query = { depositId, limit: 10 };
    const [found] = (await walletCallPage(database, 'op', query)).calls;
    if (found === undefined) throw new Error('The deposit has no call');
    return found;
  };
  const askAgain = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      await endPauses(database);
      await bench.payments.runDueWork();
    }
  };

  await askAgain(4);
  expect(await call()).toMatchObject({ state: 'waiting', tries: 4, why: 'status 500' });
  const sent = wallet.calls.length;
  await askAgain(12);
  expect(wallet.calls).toHaveLength(sent);
  expect(await call()).toMatchObject({ state: 'waiting', tries: 4, why: 'paused after failures' });
  expect(bench.logs.filter(({ level }) => level === 'error')).toEqual([]);

  clock.advance(10_000);
  await askAgain(1);
  expect(await call()).toMatchObject({ tries: 5, why: 'status 500' });

  // Staff are alerted by the ninth try that was sent.
  for (const pauseS of [20, 40, 80, 160]) {
    clock.advance(pauseS * 1000);
    await askAgain(1);
  }
  expect(await call()).toMatchObject({ tries: 9 });
  expect(bench.logs.filter(({ level }) => level === 'error')).toMatchObject([
    { message: 'the outcome of a call to a wallet is still unknown', fields: { tries: 9, why: 'status 500' } },
  ]);

  wallet.always = undefined;
  await useWallet(database, { url: `${wallet.url}?new` });
  await askAgain(1);
  expect(await call()).toMatchObject({ state: 'done' });
});
