/**
 * Sends generated texts in every field of every call, on both transports, and of every route of the operator API. The texts have wrong
 * encodings, zero bytes, great lengths, or the right form with a value out of bounds. No request may end in an internal error.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type CallName, calls } from '@opencashier/contract/api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goodRequests } from './testing/good-requests.ts';
import { type JsonSchema, placesIn, sampleOf, withoutReferences } from './testing/json-sample.ts';
import { type Place, placesOf, withValue } from './testing/request-places.ts';
import { appOperatorKey, type RunningApp, startApp } from './testing/running-app.ts';

/** The number of runs is fixed, so that a slow machine takes longer and skips nothing. All of them take some seconds. */
const runs = 20;
const atOnce = 16;

let running: RunningApp;
let token: string;
let depositId: string;
beforeAll(async () => {
  running = await startApp();
  token = await running.tokenOf('fuzz');
  depositId = randomUUID();
  const request = { amount: '25.00', currency: 'USD', depositId, paymentType: 'card' };
  const created = await running.clients.http.call(calls['deposit-create'], request, { token });
  expect(created.status).toBe(200);
});
afterAll(() => running?.stop());

const moment = (text: string) => Buffer.from(JSON.stringify([text, randomUUID()])).toString('base64url');
/** Values of the right form that no column, date or bigint can hold. */
const outOfBounds = [
  '9'.repeat(39),
  '9223372036854775808',
  `0.${'0'.repeat(36)}1`,
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T00:00:00+23:59',
  '+275760-09-13T00:00:00.000Z',
  '00000000-0000-0000-0000-000000000000',
  moment('2026-01-01 00:00:00+00'),
  moment('999999-01-01 00:00:00+00'),
  moment('infinity\0'),
  Buffer.from('null').toString('base64url'),
];
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ maxLength: 8 }).map((part) => `${part}\0${part}`),
  fc.constantFrom('\ud800', 'half \udc00', '\ufffe', '\u202e', '__proto__', 'constructor', '%00', '../../x', "'; --"),
  fc.integer({ min: 0, max: 20_000 }).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 0, max: 3_000 }).map((length) => '😀'.repeat(length)),
  fc.constantFrom(...outOfBounds),
);
const always = ['\0', '\ud800', 'x'.repeat(20_000)];
/** Each place gets some of these values, and all places together get every value. */
const someOf = (turn: number): string[] =>
  [0, 5, 10].map((step) => outOfBounds[(turn + step) % outOfBounds.length] ?? '');

/** First every place with the examples, then places and texts that the generator chooses. */
async function fuzz<Target>(targets: readonly Target[], shoot: (target: Target, value: string) => Promise<void>) {
  const examples = targets.flatMap((target, turn) => [...always, ...someOf(turn)].map((value) => ({ target, value })));
  await each(examples, ({ target, value }) => shoot(target, value));
  const shots = fc.array(fc.record({ target: fc.constantFrom(...targets), value: text }), {
    minLength: atOnce,
    maxLength: 2 * atOnce,
  });
  await fc.assert(
    fc.asyncProperty(shots, (chosen) => each(chosen, ({ target, value }) => shoot(target, value))),
    { numRuns: runs, endOnFailure: true },
  );
}

/** The number of parallel requests that the database can serve. */
async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

const isFault = (status: number): boolean => status >= 500;

const named = (object: unknown, key: string) => Object.hasOwn(object as object, key);

describe.each(['http', 'socket'] as const)('over %s', (transport) => {
  const places = (Object.keys(calls) as CallName[]).flatMap((name) =>
    placesOf(calls[name].request).map((place) => ({ name, place })),
  );

  test('[SRV-8] no text in any place of any call makes a fault', async () => {
    expect(places.length).toBeGreaterThan(80);
    await fuzz(places, async ({ name, place }, value) => {
      let request = goodRequests[name];
      for (const key of ['depositId', 'withdrawalId']) {
        if (named(request, key)) request = withValue(request, [key], randomUUID());
      }
      const answer = await running.clients[transport].call(calls[name], withValue(request, place, value), {
        token,
      });
      expect(isFault(answer.status), JSON.stringify([name, place, value.slice(0, 80), answer])).toBe(false);
    });
  }, 180_000);
});

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: JsonSchema } } };
}

interface OperatorRoute {
  readonly method: string;
  readonly path: string;
  readonly inPath: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Every route of the reference page. `npm run docs` checks that page against the server's schemas. */
const page = JSON.parse(readFileSync(new URL('../../../../docs/reference/openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: unknown;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
};
const routes: readonly OperatorRoute[] = Object.entries(
  withoutReferences(page.paths, page.components.schemas) as Readonly<
    Record<string, Readonly<Record<string, Operation>>>
  >,
).flatMap(([path, operations]) =>
  path.startsWith('/operator/')
    ? Object.entries(operations).map(([method, { parameters = [], requestBody }]) => ({
        method: method.toUpperCase(),
        path,
        inPath: parameters.filter((one) => one.in === 'path').map(({ name }) => name),
        query: Object.fromEntries(
          parameters.filter((one) => one.in === 'query').map(({ name, schema }) => [name, String(sampleOf(schema))]),
        ),
        body: requestBody && sampleOf(requestBody.content['application/json'].schema),
      }))
    : [],
);

/** A request of a route, with a value in one of its places. */
interface Shot {
  readonly route: OperatorRoute;
  readonly place:
    | { readonly kind: 'path' | 'query'; readonly name: string }
    | { readonly kind: 'body'; readonly at: Place };
}

const known = (name: string): string =>
  ({ depositId, userId: 'fuzz', name: 'card', boxId: 'popular' })[name] ?? randomUUID();

/** Percent-encodes a text. A half character becomes the bytes that a careless client would send. */
const encoded = (value: string): string =>
  [...value].map((one) => (/\p{Surrogate}/u.test(one) ? '%ED%A0%80' : encodeURIComponent(one))).join('');

async function shoot({ route, place }: Shot, value: unknown, raw?: string): Promise<number> {
  const write = raw ?? encoded(String(value));
  const query = Object.entries(place.kind === 'query' ? { ...route.query, [place.name]: '' } : route.query)
    .filter(([name]) => name !== 'cursor' || (place.kind === 'query' && place.name === name))
    .map(
      ([name, good]) => `${name}=${place.kind === 'query' && place.name === name ? write : encodeURIComponent(good)}`,
    );
  const path = route.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    place.kind === 'path' && place.name === name ? write : known(name),
  );
  const body = place.kind === 'body' ? withValue(route.body, place.at, value) : route.body;
  const response = await fetch(`${running.url}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`, {
    method: route.method,
    headers: { authorization: `Bearer ${appOperatorKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response.status;
}

const shotsOf = (type: 'string' | 'number'): Shot[] =>
  routes.flatMap((route) => [
    ...(type === 'string' ? route.inPath : []).map((name) => ({ route, place: { kind: 'path' as const, name } })),
    ...(type === 'string' ? Object.keys(route.query) : []).map((name) => ({
      route,
      place: { kind: 'query' as const, name },
    })),
    ...placesIn(route.body, type).map((at) => ({ route, place: { kind: 'body' as const, at } })),
  ]);

const nameOf = ({ route, place }: Shot, value: unknown): string =>
  JSON.stringify([route.method, route.path, place, String(value).slice(0, 80)]);

describe('the operator API', () => {
  test('[SRV-8] no text in any place of any route makes a fault', async () => {
    const shots = shotsOf('string');
    expect(routes.length).toBeGreaterThan(25);
    expect(shots.length).toBeGreaterThan(90);
    await fuzz(shots, async (shot, value) => {
      expect(isFault(await shoot(shot, value)), nameOf(shot, value)).toBe(false);
    });
  }, 180_000);

  test('[SRV-8] no number in any place of any route makes a fault', async () => {
    const extremes = [-1, 0.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e300, 5e-324];
    const shots = shotsOf('number').flatMap((shot) => extremes.map((value) => ({ shot, value })));
    expect(shots.length).toBeGreaterThan(20);
    await each(shots, async ({ shot, value }) => {
      expect(isFault(await shoot(shot, value)), nameOf(shot, value)).toBe(false);
    });
  });

  test('[SRV-8] a zero byte in an id or a query is refused with 400, in whatever form it is sent', async () => {
    const shots = shotsOf('string').filter(({ place }) => place.kind !== 'body');
    expect(shots.length).toBeGreaterThan(40);
    await each(shots, async (shot) => {
      for (const raw of ['%00', 'a%00b', '%ff', '%C0%80', '%ED%A0%80']) {
        const status = await shoot(shot, '', raw);
        expect(isFault(status), nameOf(shot, raw)).toBe(false);
        if (raw.includes('%00')) expect(status, nameOf(shot, raw)).toBe(400);
      }
    });
  });

  test('[SRV-8] a body in another encoding or compression, or not closed, is refused', async () => {
    const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));
    const bodies = [
      bytes('{"userId":"', [0xff, 0xfe], '","currency":"USD"}'),
      bytes('{"userId":"', [0x00], '","currency":"USD"}'),
      bytes([0xff, 0xfe], '{}'),
      Buffer.from('{"userId":"a","currency":"USD"}', 'utf16le'),
      bytes('{"userId":"\\ud800","currency":"USD"}'),
      bytes(`${'['.repeat(20_000)}`),
      bytes(`{"userId":"${'x'.repeat(60_000)}","currency":"USD"}`),
    ];
    const types: Record<string, string>[] = [
      { 'content-type': 'application/json' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      { 'content-type': 'text/plain' },
    ];
    for (const body of bodies) {
      for (const headers of types) {
        const response = await fetch(`${running.url}/operator/v1/user-tokens`, {
          method: 'POST',
          headers: { authorization: `Bearer ${appOperatorKey}`, ...headers },
          body: new Uint8Array(body),
        });
        expect(isFault(response.status), `${body.toString('latin1').slice(0, 60)} ${JSON.stringify(headers)}`).toBe(
          false,
        );
      }
    }
  });
});

test.each([
  '/cashier/bounce/%00',
  '/cashier/%00',
  '/cashier/?partner=%00',
  '/sandbox/pay/%00',
  '/sandbox/control/sbx_%00',
  '/sandbox/payments?depositId=%00',
  '/api/BANKING/deposit-status?depositId=%00',
  '/operator/v1/users/%00/balances',
])('a zero byte in %s is refused with 400', async (path) => {
  const authorization = `Bearer ${path.startsWith('/operator') ? appOperatorKey : token}`;
  expect((await fetch(`${running.url}${path}`, { headers: { authorization } })).status).toBe(400);
});
