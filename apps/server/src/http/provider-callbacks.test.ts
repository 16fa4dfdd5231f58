/** Which callbacks are accepted and which refused (SRV-9), at two nodes that share their counts as through Redis. */
import { createTestClock } from '@opencashier/core/time/test-clock';
import { type FastifyInstance, fastify } from 'fastify';
import { expect, test } from 'vitest';
import { errorAnswer } from '../dispatch/api-error.ts';
import { callbacksPerMinute, unsignedPerMinute } from '../limits/callback-limits.ts';
import { createRateLimiter, type RateLimiter } from '../limits/rate-limiter.ts';
import type { PaymentsEngine } from '../payment-service/payments-engine.ts';
import { sendOutcome } from './http.ts';
import { registerProviderCallbacks } from './provider-callbacks.ts';

/** The limit of signed callbacks of a provider in this test, and of unsigned ones of an address. */
const [mostSigned, mostUnsigned] = [6, 3];

async function setUp() {
  const clock = createTestClock();
  const shared = createRateLimiter(clock);
  const stored: string[] = [];
  let looks = 0;
  // As the inbox does: unsigned callbacks are refused first, so they do not count towards the limit.
  const receiveCallback: PaymentsEngine['receiveCallback'] = async (provider, { headers }, admit) => {
    looks += 1;
    if (provider === 'nobody') return { kind: 'unknown-provider' };
    if (headers['signature'] !== 'good') return { kind: 'rejected' };
    const retryAfterSeconds = (await admit?.()) ?? 0;
    if (retryAfterSeconds > 0) return { kind: 'over-limit', retryAfterSeconds };
    stored.push(provider);
    return { kind: 'accepted' };
  };
  const nodeOf = async (): Promise<FastifyInstance> => {
    const server = fastify({ trustProxy: true });
    server.setErrorHandler((error: Error, request, reply) => sendOutcome(reply, errorAnswer(error, request.id), 0));
    const own = createRateLimiter(clock);
    const limiter: RateLimiter = {
      take: (key, limit, windowMs) => shared.take(key, limit / (callbacksPerMinute / mostSigned), windowMs),
      takeHere: (key, limit, windowMs) => own.takeHere(key, limit / (unsignedPerMinute / mostUnsigned), windowMs),
    };
    registerProviderCallbacks(server, { payments: { receiveCallback }, limiter, clock });
    await server.ready();
    return server;
  };
  const nodes = [await nodeOf(), await nodeOf()];
  const send = (how: { provider?: string; signature?: string; address?: string; node?: number } = {}) => {
    const { provider = 'bank', signature = 'good', address = '203.0.113.1', node = 0 } = how;
    return nodes[node]?.inject({
      method: 'POST',
      url: `/providers/${provider}/callbacks`,
      headers: { signature, 'x-forwarded-for': address, 'content-type': 'application/json' },
      payload: '{}',
    });
  };
  const statusesOf = async (times: number, how: (n: number) => Parameters<typeof send>[0]) => {
    const statuses = [];
    for (let n = 0; n < times; n += 1) statuses.push((await send(how(n)))?.statusCode);
    return statuses;
  };
  return { clock, send, statusesOf, stored, looks: () => looks };
}

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

test('[SRV-9] two nodes count one limit per provider; above it the answer says when to send again, and nothing is lost', async () => {
  const { clock, send, statusesOf, stored } = await setUp();
  expect(await statusesOf(mostSigned + 2, (n) => ({ node: n % 2 }))).toEqual([...times(mostSigned, 202), 429, 429]);
  expect(stored).toHaveLength(mostSigned);
  expect((await send({ provider: 'another' }))?.statusCode).toBe(202);
  clock.advance(20_000);
  const refused = await send();
  expect(refused?.headers['retry-after']).toBe('40');
  expect(refused?.json()).toMatchObject({ error: { code: 'rate-limited', retryAfterSeconds: 40 } });
  clock.advance(40_000);
  expect((await send())?.statusCode).toBe(202);
});

test('[SRV-9] forged callbacks and those for unknown providers do not count for a provider, and are soon refused unread', async () => {
  const { clock, statusesOf, send, stored, looks } = await setUp();
  const forger = { address: '203.0.113.9' };
  const forged = (n: number) => ({ ...forger, ...(n % 2 === 0 ? { signature: 'bad' } : { provider: 'nobody' }) });
  expect(await statusesOf(40, forged)).toEqual([401, 404, 401, 404, ...times(36, 429)]);
  expect(looks()).toBe(mostUnsigned + 1);
  expect((await send(forger))?.headers).toMatchObject({ 'retry-after': '60', connection: 'close' });
  expect(await statusesOf(mostSigned, () => ({}))).toEqual(times(mostSigned, 202));
  expect(stored).toHaveLength(mostSigned);
  clock.advance(60_000);
  expect((await send(forger))?.statusCode).toBe(202);
});

test('[SRV-9] forgeries from behind the address of a provider close no door to it', async () => {
  const { statusesOf } = await setUp();
  const mixed = await statusesOf(60, (n) => ({ signature: n % 20 === 0 ? 'good' : 'bad' }));
  expect(mixed.filter((status) => status === 202)).toHaveLength(3);
  expect(mixed.filter((status) => status === 401)).toHaveLength(57);
});
