import { afterAll, beforeAll, expect, test } from 'vitest';
import { appOperatorKey, type RunningApp, startApp } from '../../apps/server/src/transports/testing/running-app.ts';
import { bareCall, type Cashier, createCall, mintTokens, readMetrics } from './cashier.mjs';
import { applyCallbacks, holdSockets } from './live.mjs';
import { load } from './load.mjs';

// A short run of the benchmark, since a benchmark that nobody runs breaks unnoticed.
const providerSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
let running: RunningApp;
let cashier: Cashier;
beforeAll(async () => {
  running = await startApp({ SANDBOX_PROVIDER_SECRET: providerSecret });
  cashier = { url: running.url, operatorKey: appOperatorKey, providerSecret };
});
afterAll(() => running.stop());

test('sockets are held and weighed, and what a callback says reaches each', async () => {
  const tokens = await mintTokens(cashier, 3);
  const { sockets, result } = await holdSockets(cashier, { tokens });
  try {
    expect(result.held).toBe(3);
    expect(Number.isFinite(result.bytesEach)).toBe(true);
    const applied = await applyCallbacks(cashier, { tokens, sockets, width: 2 });
    expect(applied.failed).toBe(0);
    expect(applied.appliedPerSecond).toBeGreaterThan(0);
    expect(applied.toldP99Ms).toBeGreaterThanOrEqual(applied.answerP50Ms);
  } finally {
    for (const socket of sockets) socket.disconnect();
  }
  const credited = await running.database.query<{ n: number }>({
    text: `select count(*)::int as n from deposit where state = 'credited'`,
  });
  expect(credited).toEqual([{ n: 3 }]);
});

test('creates are counted, and each that is counted was answered well', async () => {
  const [token = ''] = await mintTokens(cashier, 1);
  const result = await load({
    url: cashier.url,
    connections: 2,
    durationMs: 300,
    warmUpMs: 0,
    next: () => createCall(token),
  });
  expect(result).toMatchObject({ failed: 0, statuses: { 200: expect.any(Number) } });
  expect(result.perSecond).toBeGreaterThan(0);
  expect((await readMetrics(cashier)).residentBytes).toBeGreaterThan(0);
});

test('the bare server is asked for the same deposit', () => {
  const { depositId: _bare, ...bare } = JSON.parse(bareCall().body);
  const { depositId: _ours, selectedCountry: _country, ...ours } = JSON.parse(createCall('').body);
  expect(bare).toEqual(ours);
});
