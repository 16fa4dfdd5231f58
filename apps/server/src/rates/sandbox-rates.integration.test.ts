import { createTestClock } from '@opencashier/core/time/test-clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../database/testing/test-database.ts';
import { type RunningApp, startApp } from '../transports/testing/running-app.ts';
import { createSharedMood } from './sandbox-mood.ts';
import { createSandboxRates } from './sandbox-rates.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const read = async () => (await fetch(`${app.url}/sandbox/rates`)).text();
const stateOf = (page: string) => /data-state="(\w+)"/.exec(page)?.[1];
const send = async (fields: Record<string, string>) => {
  const token = /name="token" value="([0-9a-f]+)"/.exec(await read())?.[1] ?? '';
  const body = new URLSearchParams({ token, ...fields });
  return (await fetch(`${app.url}/sandbox/rates`, { method: 'POST', body, redirect: 'manual' })).status;
};

test('[CRY-3] the sandbox stops, breaks and restores its rates, only from its own form', async () => {
  expect(stateOf(await read())).toBe('fresh');
  expect(await send({ mood: 'stopped', age: '600' })).toBe(303);
  expect(stateOf(await read())).toBe('stopped');
  expect(await send({ mood: 'down' })).toBe(303);
  expect(stateOf(await read())).toBe('down');
  expect(await send({ mood: 'dear', token: 'guessed' })).toBe(403);
  expect(await send({ mood: 'dear' })).toBe(400);
  expect(await send({ mood: 'stopped', age: '-1' })).toBe(400);
  expect(stateOf(await read())).toBe('down');
  expect(await send({ mood: 'fresh' })).toBe(303);
  expect(stateOf(await read())).toBe('fresh');
});

test('[CRY-3] [SRV-7] a mood chosen on one node applies to every node at once, and any node accepts its form', async () => {
  const { database, drop } = await openTestDatabase();
  const clock = createTestClock();
  const nodeOf = () => {
    const moods = createSharedMood(database);
    return { ...createSandboxRates(clock, { coinMs: 300_000, fiatMs: 86_400_000 }, moods), ...moods };
  };
  const [one, other] = [nodeOf(), nodeOf()];
  await one.setMood('stopped', 600_000);
  const old = { rate: '62500', at: clock.now() - 600_000, isStale: true };
  expect([await one.quote('BTC', 'USD'), await other.quote('BTC', 'USD')]).toMatchObject([old, old]);
  await other.setMood('down');
  expect([await one.mood(), await one.quote('BTC', 'USD')]).toEqual(['down', 'none']);
  expect(await one.formToken()).toMatch(/^[0-9a-f]{32}$/);
  expect(await other.formToken()).toBe(await one.formToken());
  await drop();
});
