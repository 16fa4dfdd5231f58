/** The contract tests: the same cases on both transports of a server that really listens (NET-1). */
import { type CallName, callErrorSchema, calls, errorCodes } from '@opencashier/contract/api';
import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { answer } from '../calls/handler/call.ts';
import { handlers } from '../calls/registry.ts';
import { DomainError } from '../errors/domain-error.ts';
import { callGraceMs, callTimeLimitMs } from '../limits/call-limits.ts';
import { createRateLimiter } from '../limits/rate-limiter.ts';
import { goodDeposit as deposit, goodDepositId as depositId, goodRequests } from './testing/good-requests.ts';
import {
  type Answer,
  demoUser,
  httpClient,
  type RunningServer,
  socketClient,
  startServer,
  type TestClient,
} from './testing/running-server.ts';

const names = Object.keys(calls) as CallName[];
const answered = names.filter((name) => handlers.has(name));

/** The answer without the values that differ each time by design: references, and new ids. */
const comparable = (answer: Answer): unknown =>
  JSON.parse(
    JSON.stringify(answer, (key, value: unknown) => (['reference', 'paymentSessionId'].includes(key) ? 'any' : value)),
  );

let running: RunningServer;
let token: string;
let http: TestClient;
let socket: TestClient;

beforeAll(async () => {
  running = await startServer();
  ({ token } = await running.tokens.issue(demoUser));
  http = httpClient(running.url);
  socket = socketClient(running.url);
  await http.call(calls['deposit-create'], deposit, { token });
});
afterEach(() => {
  running.payments.onCreate = undefined;
});
afterAll(async () => {
  socket.close();
  await running.stop();
});

describe.each(['http', 'socket'] as const)('over %s', (transport) => {
  const client = () => (transport === 'http' ? http : socket);
  const call = (
    name: CallName,
    request: unknown = goodRequests[name],
    options: Parameters<TestClient['call']>[2] = { token },
  ) => client().call(calls[name], request, options);

  test.each(names)(
    '[NET-1] %s is there: it answers in the shape of the contract, or says that it does not yet',
    async (name) => {
      const found = await call(name);
      if (answered.includes(name)) {
        expect(found.status, JSON.stringify(found)).toBe(200);
        expect(v.parse(calls[name].response, found.data)).toEqual(found.data);
      } else {
        expect(found.status).toBe(501);
        expect(found.error).toMatchObject({ code: 'not-implemented' });
        expect(v.is(callErrorSchema, found.error)).toBe(true);
      }
    },
  );

  test.each(names.filter((name) => calls[name].auth === 'user'))(
    '[SRV-1] %s refuses a caller without a token',
    async (name) => {
      const found = await call(name, goodRequests[name], {});
      expect(found).toMatchObject({ status: 401, error: { code: 'unauthorized' } });
    },
  );

  test('[SRV-1] refuses a token that was made with another secret, tampered with, or is no token', async () => {
    const [head = '', body = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'u-2' })).toString('base64url');
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
    for (const bad of [`${head}.${forged}.${signature}`, unsigned, 'x', 'a.b.c', 'y'.repeat(9000)]) {
      const found = await call('methods-payment-v5', undefined, { token: bad });
      expect(found).toMatchObject({ status: 401, error: { code: 'unauthorized' } });
    }
    expect(await call('events', undefined, { token: 'x' })).toMatchObject({ status: 200 });
  });

  test('refuses a token beside another user or partner', async () => {
    for (const context of [{ userId: 'u-2' }, { partnerKey: 'other' }]) {
      const found = await call('deposit-status', undefined, { token, context });
      expect(found).toMatchObject({ status: 401, error: { code: 'unauthorized' } });
    }
    const same = await call('deposit-status', undefined, { token, context: { userId: 'u-1', partnerKey: 'demo' } });
    expect(same.status).toBe(200);
  });

  test('names the fields of a request that does not have the documented shape, without repeating what was typed', async () => {
    const found = await call('deposit-create', { ...deposit, amount: 'my secret', fields: { 'a b': 'x' } });
    expect(found).toMatchObject({ status: 400, error: { code: 'invalid-request' } });
    expect(found.error?.fields?.map(({ path }) => path)).toContain('amount');
    expect(JSON.stringify(found)).not.toContain('my secret');
  });

  test('refuses a field that the call does not know, at the top and inside', async () => {
    const before = running.payments.created.length;
    const top = await call('deposit-create', { ...deposit, amonut: '1' });
    expect(top).toMatchObject({ status: 400, error: { fields: [{ path: 'amonut' }] } });
    const inside = await call('deposit-create', { ...deposit, metadata: { isFromChip: true, colour: 'red' } });
    expect(inside).toMatchObject({ status: 400, error: { fields: [{ path: 'metadata.colour' }] } });
    expect(running.payments.created).toHaveLength(before);
  });

  test('refuses text that is none, and takes a language that is none for English', async () => {
    for (const [field, value] of [
      ['wallet', 'a\0b'],
      ['bonusId', '\ud83d'],
      ['abTestGroup', '\ude00 '],
    ] as const) {
      const found = await call('deposit-create', { ...deposit, [field]: value });
      expect(found, field).toMatchObject({ status: 400, error: { fields: [{ path: field }] } });
    }
    const whole = { ...deposit, depositId: '0b3f8f0e-1f7c-4a52-9c1e-3f1d2b7a9c12', wallet: '😀' };
    expect((await call('deposit-create', whole, { token, context: { language: 'a\0' } })).status).toBe(200);
    expect(running.payments.created.at(-1)).toMatchObject({ language: 'en', request: { wallet: '😀' } });
    await call('deposit-create', whole, { token, context: { language: 'hi-Latn-IN' } });
    expect(running.payments.created.at(-1)?.language).toBe('hi-Latn-IN');
  });

  test('answers a read for this user, and not-found for a stranger payment', async () => {
    expect(await call('deposit-status')).toMatchObject({ status: 200, data: { depositId, amount: '25.00' } });
    const missing = { depositId: '0b3f8f0e-1f7c-4a52-9c1e-000000000000' };
    expect(await call('deposit-status', missing)).toMatchObject({ status: 404, error: { code: 'not-found' } });
  });

  test('says that there is no such call', async () => {
    const unknown = { name: 'deposit-create-v9', prefix: 'BANKING', method: 'POST' } as const;
    expect(await client().call(unknown, {}, { token })).toMatchObject({ status: 404, error: { code: 'not-found' } });
    const inherited = { name: 'toString', prefix: 'BANKING', method: 'POST' } as const;
    expect(await client().call(inherited, {}, { token })).toMatchObject({ status: 404 });
  });

  test('refuses a request over 64 KB', async () => {
    const huge = { ...deposit, fields: { note: 'x'.repeat(70_000) } };
    expect(await call('deposit-create', huge)).toMatchObject({ status: 413, error: { code: 'request-too-large' } });
  });

  test('passes on what a handler refuses, with its values', async () => {
    running.payments.onCreate = async () => {
      throw new DomainError('limit-min', 'Too little.', { params: { min: '5.00' } });
    };
    expect(await call('deposit-create')).toMatchObject({
      status: 422,
      error: { code: 'limit-min', message: 'Too little.', params: { min: '5.00' } },
    });
  });

  test('[SRV-9] answers an unexpected error only with a reference, which finds the error in the log', async () => {
    running.payments.onCreate = async () => {
      throw Object.assign(new Error('near "hunter2"'), { severity: 'ERROR', code: '22P02', detail: 'a row' });
    };
    const found = await call('deposit-create');
    expect(found).toMatchObject({ status: 500, error: { code: 'internal' } });
    expect(JSON.stringify(found)).not.toContain('hunter2');
    const line = running.log.find((entry) => entry.includes(found.error?.reference ?? 'none'));
    expect(line).toBeDefined();
    expect(line).toContain('22P02');
    expect(line).not.toMatch(/hunter2|a row/);
  });

  test('says 503 and when to come back while the database is away', async () => {
    running.payments.onCreate = async () => {
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    };
    const found = await call('deposit-create');
    expect(found).toMatchObject({ status: 503, error: { code: 'temporarily-unavailable', retryAfterSeconds: 5 } });
  });

  test('a create that takes too long has an unknown outcome, and its handler is aborted', async () => {
    let signal: AbortSignal | undefined;
    const begun = new Promise<void>((resolve) => {
      running.payments.onCreate = (command) => {
        signal = command.signal;
        resolve();
        return new Promise(() => undefined);
      };
    });
    const found = call('deposit-create');
    await begun;
    running.clock.advance(callTimeLimitMs);
    expect(signal?.aborted).toBe(true);
    running.clock.advance(callGraceMs);
    expect(await found).toMatchObject({ status: 503, error: { code: 'unknown-outcome' } });
    expect((await call('deposit-status')).status).toBe(200);
  });

  test('never answers 5xx to a request of a stranger, except 501 for a call that is not implemented', async () => {
    const noise = fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()));
    for (const name of names) {
      const similar = fc.record(
        Object.fromEntries(Object.keys(goodRequests[name] as object).map((key) => [key, fc.jsonValue()])),
      );
      await fc.assert(
        fc.asyncProperty(fc.oneof(noise, similar), async (request) => {
          const found = await call(name, request);
          if (found.status >= 500) expect(found.status).toBe(501);
          if (found.error) expect(Object.keys(errorCodes)).toContain(found.error.code);
        }),
        { numRuns: 25 },
      );
    }
  });
});

describe('both transports', () => {
  test.each(answered)('[NET-1] answer %s alike', async (name) => {
    const [a, b] = await Promise.all(
      [http, socket].map((client) => client.call(calls[name], goodRequests[name], { token })),
    );
    expect(comparable(a as Answer)).toEqual(comparable(b as Answer));
  });

  test.each(names)('[NET-1] refuse %s alike', async (name) => {
    const [a, b] = await Promise.all(
      [http, socket].map((client) => client.call(calls[name], { nothing: 'x' }, { token })),
    );
    expect(comparable(a as Answer)).toEqual(comparable(b as Answer));
    expect(a?.status).toBe(400);
  });

  test('[HOST-16] carry who calls, from where and with what, on every call', async () => {
    const seen: unknown[] = [];
    const noting = new Map(handlers).set(
      'deposit-check',
      answer(calls['deposit-check'], async (_request, { caller, context }) => {
        seen.push({ caller, context });
        return { exists: false };
      }),
    );
    const own = await startServer({ handlers: noting });
    const clients = [httpClient(own.url), socketClient(own.url)];
    const context = {
      partnerKey: 'demo',
      userId: 'u-1',
      xOrigin: 'https://play.example',
      language: 'hi-Latn-IN',
      platform: 'android',
      isNative: true,
      pwa: true,
      isMobileApp: true,
    };
    const fresh = await own.tokens.issue(demoUser);
    for (const client of clients) {
      await client.call(calls['deposit-check'], { paymentMethod: 'card' }, { token: fresh.token, context });
      client.close();
    }
    const caller = { operatorId: 'demo', partnerKey: 'demo', userId: 'u-1', currency: 'INR', country: 'IN' };
    expect(seen).toEqual([
      { caller, context },
      { caller, context },
    ]);
    await own.stop();
  });

  test('[SRV-1] refuse a token from the moment it expires, also on a socket that stays open', async () => {
    const own = await startServer();
    const short = await own.tokens.issue(demoUser);
    const clients = [httpClient(own.url), socketClient(own.url)];
    const status = (client: TestClient) =>
      client.call(calls['deposit-check'], { paymentMethod: 'card' }, { token: short.token });
    for (const client of clients) expect((await status(client)).status).toBe(200);
    own.clock.advance(15 * 60_000 - 1000);
    for (const client of clients) expect((await status(client)).status).toBe(200);
    own.clock.advance(1000);
    for (const client of clients)
      expect(await status(client)).toMatchObject({ status: 401, error: { code: 'token-expired' } });
    const late = socketClient(own.url);
    expect(await status(late)).toMatchObject({ status: 401, error: { code: 'token-expired' } });
    for (const client of [...clients, late]) client.close();
    await own.stop();
  });

  test('[SRV-9] share one limit per user and call, which ends with its minute', async () => {
    const clock = { now: () => time };
    let time = 1_000_000;
    const own = await startServer({ limiter: createRateLimiter(clock) });
    const clients = [httpClient(own.url), socketClient(own.url)] as const;
    const [one, two] = await Promise.all([
      own.tokens.issue(demoUser),
      own.tokens.issue({ ...demoUser, userId: 'u-2' }),
    ]);
    const create = (client: TestClient, token: string) => client.call(calls['deposit-create'], deposit, { token });
    for (let round = 0; round < 5; round += 1) {
      for (const client of clients) expect((await create(client, one.token)).status).toBe(200);
    }
    for (const client of clients) {
      const refused = await create(client, one.token);
      expect(refused).toMatchObject({ status: 429, error: { code: 'rate-limited', retryAfterSeconds: 60 } });
    }
    expect((await create(clients[0], two.token)).status).toBe(200);
    time += 60_000;
    expect((await create(clients[1], one.token)).status).toBe(200);
    for (const client of clients) client.close();
    await own.stop();
  });
});
