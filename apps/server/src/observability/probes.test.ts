import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';
import { registerProbes } from './probes.ts';

const open = fastify();
const guarded = fastify();
const token = 'm'.repeat(32);
beforeAll(async () => {
  const ping = async () => undefined;
  const isDraining = (): boolean => false;
  registerProbes(open, { metrics: createMetrics(), ping, isDraining });
  registerProbes(guarded, { metrics: createMetrics(), ping, isDraining, metricsToken: token });
  await Promise.all([open.ready(), guarded.ready()]);
});
afterAll(() => Promise.all([open.close(), guarded.close()]));

const ask = async (remoteAddress: string, headers: Record<string, string> = {}, server = open) =>
  (await server.inject({ url: '/metrics', remoteAddress, headers: { host: 'localhost:3000', ...headers } })).statusCode;

test('[SRV-9] without a token only this machine may read the metrics', async () => {
  for (const own of ['127.0.0.1', '127.0.0.2', '::1', '::ffff:127.0.0.1']) expect(await ask(own), own).toBe(200);
  const others = ['10.0.0.7', '172.17.0.1', '192.168.1.5', '169.254.1.1', '203.0.113.9', 'fe80::1', '::ffff:10.0.0.7'];
  for (const other of others) expect(await ask(other), other).toBe(404);
});

test('[SRV-9] a request by a proxy on this machine, or under another name of it, does not count as this machine', async () => {
  for (const header of ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']) {
    expect(await ask('127.0.0.1', { [header]: 'x' }), header).toBe(404);
  }
  for (const host of ['cashier.example', 'cashier.example:3000', '127.0.0.1.evil.example']) {
    expect(await ask('127.0.0.1', { host }), host).toBe(404);
  }
  expect(await ask('127.0.0.1', { host: '127.0.0.1:3000' })).toBe(200);
  expect(await ask('::1', { host: '[::1]:3000' })).toBe(200);
});

test('[SRV-9] if a token is set, every request needs it, also from this machine', async () => {
  expect(await ask('127.0.0.1', {}, guarded)).toBe(404);
  expect(await ask('127.0.0.1', { authorization: `Bearer ${token}x` }, guarded)).toBe(404);
  expect(await ask('203.0.113.9', { authorization: `Bearer ${token}` }, guarded)).toBe(200);
});

test('[SRV-9] a node whose widget build is missing or whose partitions end is not ready, and says why', async () => {
  const server = fastify();
  const state = { hasWidget: true, hasPartitions: true };
  registerProbes(server, {
    metrics: createMetrics(),
    ping: async () => undefined,
    isDraining: () => false,
    hasWidget: () => state.hasWidget,
    hasPartitions: () => state.hasPartitions,
  });
  const ready = async (): Promise<readonly unknown[]> => {
    const answer = await server.inject({ url: '/ready' });
    return [answer.statusCode, answer.json().status];
  };
  expect(await ready()).toEqual([200, 'ready']);
  state.hasWidget = false;
  expect(await ready()).toEqual([503, 'widget-missing']);
  state.hasPartitions = false;
  expect(await ready()).toEqual([503, 'partitions-missing']);
  await server.close();
});
