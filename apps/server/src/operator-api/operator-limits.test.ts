/** The request limit of the operator API (SRV-9), at two nodes that share their counts as through Redis. */

import { createTestClock } from '@opencashier/core/time/test-clock';
import { type FastifyInstance, fastify } from 'fastify';
import { expect, test } from 'vitest';
import { createBonuses } from '../bonuses/bonuses.ts';
import type { Database } from '../database/database.ts';
import { errorAnswer } from '../dispatch/api-error.ts';
import { sendOutcome } from '../http/http.ts';
import { createRateLimiter, type RateLimiter } from '../limits/rate-limiter.ts';
import type { Operator, Operators } from '../operators/operators.ts';
import { operatorRequestsPerMinute, registerOperatorApi, strangerRequestsPerMinute } from './operator-api.ts';

const operatorOf = (id: string): Operator => ({ id, partnerKey: id, name: id, allowedOrigins: [] });
const keys: Readonly<Record<string, string>> = { 'key-1': 'acme', 'key-2': 'acme', 'key-3': 'beta' };
const operators: Operators = {
  byId: operatorOf,
  byPartnerKey: operatorOf,
  bySecretKey: async (key) => (keys[key] === undefined ? undefined : operatorOf(keys[key])),
};
const database: Database = {
  kind: 'embedded',
  query: async () => [],
  transaction: () => Promise.reject(new Error('no transactions here')),
  ping: async () => undefined,
  close: async () => undefined,
};

async function nodeOf(limiter: Pick<RateLimiter, 'take'>): Promise<FastifyInstance> {
  const server = fastify({ trustProxy: true });
  server.decorateRequest('operatorId', undefined);
  server.setErrorHandler((error: Error, request, reply) => sendOutcome(reply, errorAnswer(error, request.id), 0));
  const tokens = { issue: () => Promise.reject(new Error('none')), identify: () => Promise.reject(new Error('none')) };
  const bonuses = createBonuses(database, () => undefined);
  registerOperatorApi(server, { operators, tokens, database, bonuses, limiter });
  await server.ready();
  return server;
}

async function setUp() {
  const clock = createTestClock();
  const shared = createRateLimiter(clock);
  /** Divides the limits, so that few requests reach them. */
  const limiter: Pick<RateLimiter, 'take'> = {
    take: (key, limit, windowMs) =>
      shared.take(key, limit === operatorRequestsPerMinute ? limit / 1_000 : limit / 40, windowMs),
  };
  const nodes = [await nodeOf(limiter), await nodeOf(limiter)];
  let turn = 0;
  const ask = (key: string, address = '203.0.113.1') =>
    nodes[turn++ % 2]?.inject({
      url: '/operator/v1/transactions',
      headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': address },
    });
  return { clock, ask };
}

test('[SRV-9] two nodes count one limit per operator over all its keys, and answer how long to wait', async () => {
  const { clock, ask } = await setUp();
  const statuses = [];
  for (let n = 0; n < 7; n += 1) statuses.push((await ask(n % 2 === 0 ? 'key-1' : 'key-2'))?.statusCode);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429]);
  clock.advance(20_000);
  const refused = await ask('key-1');
  expect(refused?.headers['retry-after']).toBe('40');
  expect(refused?.json()).toMatchObject({ error: { code: 'rate-limited', retryAfterSeconds: 40 } });
  expect((await ask('key-3'))?.statusCode).toBe(200);
  clock.advance(40_000);
  expect((await ask('key-1'))?.statusCode).toBe(200);
});

test('[SRV-9] requests that guess keys are limited by address, and those with a key from there still work', async () => {
  const { ask } = await setUp();
  const most = strangerRequestsPerMinute / 40;
  const statuses = [];
  for (let n = 0; n < most + 2; n += 1) statuses.push((await ask(`guess-${n}`))?.statusCode);
  expect(statuses).toEqual([...Array.from({ length: most }, () => 401), 429, 429]);
  expect((await ask('guess', '203.0.113.2'))?.statusCode).toBe(401);
  expect((await ask('key-1'))?.statusCode).toBe(200);
});
