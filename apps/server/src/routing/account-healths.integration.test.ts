/** Two nodes that tell each other through the database which accounts fail. */
import {
  type AccountHealth,
  FAILURES_TO_DEMOTE,
  FIRST_PAUSE_MS,
  healthFacts,
} from '@opencashier/core/routing/account-health';
import { createTestClock, type TestClock } from '@opencashier/core/time/test-clock';
import { expect, test, vi } from 'vitest';
import type { Database } from '../database/database.ts';
import { withOperator } from '../database/testing/with-operator.fixture.ts';
import { type AccountHealths, shareHealths } from './account-healths.ts';

let database: Database;
withOperator((opened) => {
  database = opened;
});

async function node(clock: TestClock, on: Database = database) {
  const [changes, errors]: [AccountHealth[], unknown[]] = [[], []];
  const healths = await shareHealths({
    database: on,
    clock,
    onChange: (_operator, _account, health) => changes.push(health),
    onError: (error) => errors.push(error),
  });
  return { healths, changes, errors };
}

const phaseOf = (healths: AccountHealths, account: string, clock: TestClock) =>
  healthFacts(healths.of('op', account), clock.now()).phase;
function fail(healths: AccountHealths, account: string): void {
  for (let tries = 0; tries < FAILURES_TO_DEMOTE; tries += 1) healths.begin('op', account)('failed');
}

test('[SRV-4] a demotion reaches the other node, and its recovery too', async () => {
  const clock = createTestClock();
  const [one, two] = [await node(clock), await node(clock)];
  fail(one.healths, 'main');
  expect(phaseOf(one.healths, 'main', clock)).toBe('demoted');
  expect(one.changes).toHaveLength(1);
  await vi.waitFor(async () => {
    await clock.advanceAsync(5_000);
    expect(phaseOf(two.healths, 'main', clock)).toBe('demoted');
  });
  // A node that starts later knows it, too.
  const three = await node(clock);
  expect(phaseOf(three.healths, 'main', clock)).toBe('demoted');
  await clock.advanceAsync(FIRST_PAUSE_MS);
  for (const outcome of ['accepted', 'accepted'] as const) two.healths.begin('op', 'main')(outcome);
  expect(phaseOf(two.healths, 'main', clock)).toBe('well');
  await vi.waitFor(async () => {
    await clock.advanceAsync(5_000);
    expect(phaseOf(one.healths, 'main', clock)).toBe('well');
  });
  for (const { healths, errors } of [one, two, three]) {
    await healths.stop();
    expect(errors).toEqual([]);
  }
  expect(clock.pending()).toBe(0);
});

test('[SRV-4] a node judges alone while the database does not answer, and tells the others later', async () => {
  const clock = createTestClock();
  let isDown = false;
  const flaky: Database = {
    ...database,
    query: (query) => (isDown ? Promise.reject(new Error('down')) : database.query(query)),
  };
  const [one, two] = [await node(clock, flaky), await node(clock)];
  isDown = true;
  fail(one.healths, 'flaky');
  expect(phaseOf(one.healths, 'flaky', clock)).toBe('demoted');
  await vi.waitFor(() => expect(one.errors.length).toBeGreaterThan(0));
  isDown = false;
  await vi.waitFor(async () => {
    await clock.advanceAsync(5_000);
    expect(phaseOf(two.healths, 'flaky', clock)).not.toBe('well');
  });
  await one.healths.stop();
  await two.healths.stop();
});

test('[SRV-4] a try ends once', async () => {
  const clock = createTestClock();
  const { healths } = await node(clock);
  const end = healths.begin('op', 'once');
  end('failed');
  end('failed');
  expect(healths.of('op', 'once').outcomes).toBe('f');
  await healths.stop();
});
