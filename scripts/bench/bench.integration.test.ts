import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appOperatorKey, type RunningApp, startApp } from '../../apps/server/src/transports/testing/running-app.ts';
import { bareCall, type Cashier, createCall, listCall, mintTokens, readMetrics } from './cashier.mjs';
import { measureIdleSockets } from './idle-sockets.mjs';
import { applyCallbacks, holdSockets, medianOfCallbacks } from './live.mjs';
import { load } from './load.mjs';
import { ratiosOf, rowsOf } from './report.mjs';
import { inTurns } from './rounds.mjs';
import { processorMsOf } from './server-process.mjs';

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
    const rounds = [];
    let used = 0;
    // Read before and after a round.
    const hundredMore = () => {
      used += 100;
      return used;
    };
    for (let round = 0; round < 2; round++) {
      rounds.push(await applyCallbacks(cashier, { tokens, sockets, width: 2, callbacks: 4, processorMs: hundredMore }));
    }
    const applied = medianOfCallbacks(rounds);
    expect(applied.failed).toBe(0);
    expect(applied.appliedPerSecond).toBeGreaterThan(0);
    expect(applied.toldP99Ms).toBeGreaterThanOrEqual(applied.answerP50Ms);
    expect(applied.processorMsEach).toBe(25);
    const text = rowsOf([{ database: 'embedded', sockets: result, callbacks: applied }]);
    expect(text).toMatch(/\| callbacks applied, on the user's screen \|.*\| 25\.000 \|/);
  } finally {
    for (const socket of sockets) socket.disconnect();
  }
  const credited = await running.database.query<{ n: number }>({
    text: `select count(*)::int as n from deposit where state = 'credited'`,
  });
  expect(credited).toEqual([{ n: 8 }]);
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

test('servers are asked in turns, and lists are sent', async () => {
  const [token = ''] = await mintTokens(cashier, 1);
  const { url } = cashier;
  const taken = await inTurns({
    cashier,
    servers: [
      { name: 'lists', url, next: () => listCall(token), processorMs: () => performance.now() },
      { name: 'bareLists', url, next: () => listCall(token), processorMs: () => performance.now() },
    ],
    connections: 1,
    durationMs: 200,
    rounds: 2,
  });
  expect(taken).toMatchObject({ lists: { failed: 0 }, bareLists: { failed: 0 } });
  const [ratio, processor] = ratiosOf({ database: 'embedded', ...taken, listBytes: 1024 });
  expect(ratio).toMatch(/^embedded: a list of 1\.0 kB is \d/);
  expect(processor).toMatch(/^embedded: a list takes \d+\.\d\d times the server's processor time/);
});

test('idle sockets of another process come back after the server has ended them', async () => {
  const lines = new Set<Socket>();
  running.app.server.server.on('connection', (line) => lines.add(line));
  const result = await measureIdleSockets(cashier, {
    count: 3,
    rest: async () => undefined,
    // The process of this test cannot end, so its connections do.
    restart: async () => {
      for (const line of lines) line.destroy();
      // After a whole answer, every client has seen the end of its connection.
      await readMetrics(cashier);
      return performance.now();
    },
    signals: ['SIGTERM'],
  });
  expect(result).toMatchObject({ held: 3, returns: [{ signal: 'SIGTERM', creates: { refused: 0 } }] });
});

test('the processor time of a process grows with its work, where the system tells it', () => {
  const before = processorMsOf(process.pid);
  if (before === undefined) {
    expect(process.platform).not.toBe('linux');
    return;
  }
  const until = process.cpuUsage().user + 60_000;
  while (process.cpuUsage().user < until);
  expect(processorMsOf(process.pid)).toBeGreaterThanOrEqual(before + 50);
});

test('the bare server is asked for the same deposit', () => {
  const { depositId: _bare, ...bare } = JSON.parse(bareCall().body);
  const { depositId: _ours, selectedCountry: _country, ...ours } = JSON.parse(createCall('').body);
  expect(bare).toEqual(ours);
});
