import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CashierApiError, CashierError, CashierUnavailableError } from './errors.ts';
import { createOperatorClient, type OperatorClient, type OperatorClientOptions } from './operator-client.ts';

interface Vector {
  readonly name: string;
  readonly call: keyof OperatorClient;
  readonly request: Readonly<Record<string, unknown>>;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const file = new URL('../../../sdks/vectors/requests.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vector[];

interface Sent {
  readonly address: string;
  readonly init: RequestInit;
}

/** A cashier that gives these answers one after the other, and the last one again and again. */
function cashier(answers: readonly (() => Promise<Response>)[], options: Partial<OperatorClientOptions> = {}) {
  const sent: Sent[] = [];
  const pauses: number[] = [];
  const client = createOperatorClient({
    cashierUrl: 'https://pay.example.com/',
    operatorKey: 'sk_test',
    fetch: (address, init = {}) => {
      const answer = answers[Math.min(sent.length, answers.length - 1)];
      sent.push({ address: String(address), init });
      return answer === undefined ? Promise.reject(new Error('no answer was prepared')) : answer();
    },
    pause: async (milliseconds) => {
      pauses.push(milliseconds);
    },
    ...options,
  });
  return { client, sent, pauses };
}

const json =
  (status: number, body: unknown, headers = {}) =>
  async () =>
    new Response(JSON.stringify(body), { status, headers });
const broken = () => Promise.reject(new TypeError('fetch failed'));
const failure = (status: number, code: string, more = {}) =>
  json(status, { error: { code, message: 'Refused.', ...more } });
const token = { userId: 'u-1', currency: 'EUR' };
const done = json(200, { token: 't', expiresAt: '2026-01-01T00:15:00Z' });

const failureOf = (call: Promise<unknown>): Promise<CashierError> =>
  call.then(
    () => {
      throw new Error('the call succeeded');
    },
    (error: unknown) => {
      if (error instanceof CashierError) return error;
      throw error;
    },
  );

describe('[SRV-1] the shared vectors of requests', () => {
  test.each(vectors)('$name', async ({ call, request, method, path, body }) => {
    const { client, sent } = cashier([json(200, {})]);
    await (client[call] as (request: unknown) => Promise<unknown>)(request);
    const [{ address, init } = { address: '', init: {} }] = sent;
    expect({ address, method: init.method, body: init.body && JSON.parse(String(init.body)) }).toEqual({
      address: `https://pay.example.com${path}`,
      method,
      body,
    });
    expect(new Headers(init.headers).get('authorization')).toBe('Bearer sk_test');
    expect(init.redirect).toBe('error');
  });
});

test('an answer is handed on, and an error keeps what the cashier says', async () => {
  const { client } = cashier([
    done,
    failure(422, 'insufficient-funds', { params: { max: '5.00' }, reference: 'r-1', docs: 'https://docs.example' }),
  ]);
  expect(await client.createUserToken(token)).toEqual({ token: 't', expiresAt: '2026-01-01T00:15:00Z' });
  const error = await failureOf(client.createUserToken(token));
  expect(error).toBeInstanceOf(CashierApiError);
  expect(error).toMatchObject({
    status: 422,
    code: 'insufficient-funds',
    message: 'Refused.',
    params: { max: '5.00' },
    reference: 'r-1',
    docs: 'https://docs.example',
    outcomeUnknown: false,
  });
});

test('the message of an error names each wrong field', async () => {
  const fields = [
    { path: 'userId', message: 'This field is required.' },
    { path: 'currency', message: 'The currency is unknown.' },
  ];
  const error = await failureOf(cashier([failure(400, 'invalid-request', { fields })]).client.createUserToken(token));
  expect(error.message).toBe('Refused. userId: This field is required. currency: The currency is unknown.');
  expect(error).toMatchObject({ fields });
});

test('a call without an answer is repeated with the same body, and its outcome stays unknown', async () => {
  const healed = cashier([broken, failure(503, 'temporarily-unavailable'), done]);
  expect(await healed.client.createUserToken(token)).toMatchObject({ token: 't' });
  expect(healed.sent).toHaveLength(3);
  expect(new Set(healed.sent.map(({ init }) => init.body)).size).toBe(1);
  expect(healed.pauses).toEqual([200, 400]);

  const lost = cashier([broken]);
  const error = await failureOf(lost.client.createUserToken(token));
  expect(error).toBeInstanceOf(CashierUnavailableError);
  expect(error.outcomeUnknown).toBe(true);
  expect(lost.sent).toHaveLength(3);
});

test.each([
  ['a refusal', failure(422, 'limit-max'), false],
  ['an internal error', failure(500, 'internal'), true],
  ['a page of a proxy', async () => new Response('<h1>Bad gateway</h1>', { status: 500 }), true],
  ['a longer pause than a caller waits', failure(429, 'rate-limited', { retryAfterSeconds: 60 }), false],
])('%s is not repeated', async (_name, answer, outcomeUnknown) => {
  const { client, sent } = cashier([answer], { repeats: 5 });
  const error = await failureOf(client.createUserToken(token));
  expect(sent).toHaveLength(1);
  expect(error.outcomeUnknown).toBe(outcomeUnknown);
});

test('a page with status 200 counts as a bad gateway, which is repeated', async () => {
  const { client, sent } = cashier([async () => new Response('<h1>Hello</h1>')], { repeats: 5 });
  const error = await failureOf(client.createUserToken(token));
  expect(sent).toHaveLength(6);
  expect(error.outcomeUnknown).toBe(true);
});

test('the pause that the cashier asks for is kept', async () => {
  const { client, pauses } = cashier([failure(429, 'rate-limited', { retryAfterSeconds: 2 }), done]);
  await client.createUserToken(token);
  expect(pauses).toEqual([2000]);
});

test('an attempt has a time limit, and a caller can end the call', async () => {
  const silent = (): Promise<Response> => new Promise(() => undefined);
  const hanging = (init: RequestInit): Promise<Response> =>
    new Promise((_resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
  const limited = cashier([silent], { timeoutMs: 5, repeats: 0, fetch: (_address, init = {}) => hanging(init) });
  expect((await failureOf(limited.client.createUserToken(token))).message).toMatch(/within 5 ms/);

  const ended = new AbortController();
  const aborted = cashier([silent], { fetch: (_address, init = {}) => hanging(init) });
  const call = failureOf(aborted.client.createUserToken(token, { signal: ended.signal }));
  ended.abort();
  expect(await call).toBeInstanceOf(CashierUnavailableError);
  expect(aborted.pauses).toEqual([]);
});

test('a wrong address, an empty key and a missing part of a path are refused at once', async () => {
  const options = { cashierUrl: 'https://pay.example.com', operatorKey: 'sk_test' };
  expect(() => createOperatorClient({ ...options, cashierUrl: 'ftp://pay.example.com' })).toThrow(TypeError);
  expect(() => createOperatorClient({ ...options, operatorKey: '' })).toThrow(/operatorKey is empty/);
  expect(() => createOperatorClient(options).readBalances({ userId: '' })).toThrow(/userId must be a text/);
});
