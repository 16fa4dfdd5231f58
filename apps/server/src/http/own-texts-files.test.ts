import { fileURLToPath } from 'node:url';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { fastify } from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';
import { apiErrorOf } from '../dispatch/api-error.ts';
import { createRateLimiter } from '../limits/rate-limiter.ts';
import type { VersionPlace } from '../own-texts/followed-texts.ts';
import { registerOwnTextsFiles } from './own-texts-files.ts';

const folder = fileURLToPath(new URL('../transports/testing/widget-fixture', import.meta.url));
const servers: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const hash = '3f9a1c2b';

function create() {
  const clock = createTestClock();
  const held = new Set([1, 3]);
  const load = vi.fn(async (_id: string, version: number) => {
    if (version <= 4) held.add(version);
  });
  const ofFile = vi.fn((_id: string, version: number, _locale: string) =>
    held.has(version) ? { messages: { title: `Version ${version}` }, hash } : undefined,
  );
  const whereIs = (_id: string, version: number): VersionPlace => {
    if (held.has(version)) return 'held';
    if (version <= 3) return 'older';
    return version <= 53 ? 'ahead' : 'nowhere';
  };
  const server = fastify({ routerOptions: { maxParamLength: 200 } });
  servers.push(server);
  server.setErrorHandler((error: Error, _request, reply) => {
    const { code } = apiErrorOf(error);
    return reply.code(code === 'not-found' ? 404 : code === 'rate-limited' ? 429 : 500).send(code);
  });
  registerOwnTextsFiles(server, {
    folder,
    product: 'cashier',
    operators: {
      byPartnerKey: (key) =>
        key === 'acme' ? { id: 'op', partnerKey: key, name: key, allowedOrigins: [] } : undefined,
    },
    texts: { ofPage: () => undefined, whereIs, load, ofFile },
    limiter: createRateLimiter(clock),
    forever: 'forever',
  });
  return {
    clock,
    load,
    ofFile,
    get: (path: string, encoding = 'br', caller = '192.0.2.1') =>
      server.inject({
        url: `/cashier/texts/${path}`,
        headers: { 'accept-encoding': encoding },
        remoteAddress: caller,
      }),
  };
}

test('[UI-1] the file is the built one with what differs, compressed once', async () => {
  const { get, ofFile } = create();
  const plain = await get('acme/3-3f9a1c2b/en.095ce41d.json', 'identity');
  expect(plain.json()).toMatchObject({ title: 'Version 3', pay: 'Pay {amount}' });
  expect(plain.headers).toMatchObject({ 'cache-control': 'forever', vary: 'accept-encoding' });
  expect((await get('acme/3-3f9a1c2b/en.095ce41d.json')).headers['content-encoding']).toBe('br');
  expect(ofFile).toHaveBeenCalledTimes(1);
});

test('[UI-1] a browser keeps a file only if the address names its content, and the file is made once', async () => {
  const { get, ofFile } = create();
  const controls = [];
  for (const named of ['00000000', hash, 'ffffffff']) {
    const answer = await get(`acme/3-${named}/en.095ce41d.json`, 'identity');
    expect(answer.json()).toMatchObject({ title: 'Version 3' });
    controls.push(answer.headers['cache-control']);
  }
  expect(controls).toEqual(['no-store', 'forever', 'no-store']);
  expect(ofFile).toHaveBeenCalledTimes(1);
});

test('[SRV-7] a version that this node does not hold is read when somebody asks for it, once for all who ask', async () => {
  const { get, load } = create();
  const answers = await Promise.all(
    ['en', 'en', 'en', 'ar', 'es-MX'].map((locale) => get(`acme/4-3f9a1c2b/${locale}.095ce41d.json`, 'identity')),
  );
  for (const answer of answers) expect(answer.json()).toMatchObject({ title: 'Version 4' });
  expect((await get('acme/2-3f9a1c2b/en.095ce41d.json', 'identity')).json()).toMatchObject({ title: 'Version 2' });
  expect(load.mock.calls).toEqual([
    ['op', 4],
    ['op', 2],
  ]);
});

test('[SRV-9] strangers who name versions that are not there cost few queries', async () => {
  const { get, load, clock } = create();
  const codes = [];
  for (let version = 10; version < 50; version += 1) {
    codes.push((await get(`acme/${version}-3f9a1c2b/en.095ce41d.json`, 'br', `192.0.2.${version}`)).statusCode);
  }
  expect(load).toHaveBeenCalledTimes(10);
  expect(codes.filter((code) => code === 404)).toHaveLength(10);
  expect(codes.at(-1)).toBe(429);
  // Older versions have an allowance of their own.
  expect((await get('acme/2-3f9a1c2b/en.095ce41d.json', 'br', '192.0.2.99')).statusCode).toBe(200);
  await clock.advanceAsync(3000);
  await get('acme/49-3f9a1c2b/en.095ce41d.json');
  expect(load).toHaveBeenCalledTimes(12);
});

test('[SRV-9] one stranger who names versions that are not there takes no read from others', async () => {
  const { get, load } = create();
  for (let version = 10; version < 25; version += 1) await get(`acme/${version}-3f9a1c2b/en.095ce41d.json`);
  expect(load).toHaveBeenCalledTimes(2);
  expect((await get('acme/4-3f9a1c2b/en.095ce41d.json', 'br', '192.0.2.2')).statusCode).toBe(200);
});

test.each(['acme/999999999-3f9a1c2b/en.095ce41d.json', 'acme/4-3f9a1c2b/en.00000000.json'])(
  '[SRV-9] no query is made for %s',
  async (path) => {
    const { get, load } = create();
    expect((await get(path)).statusCode).toBe(404);
    expect(load).not.toHaveBeenCalled();
  },
);

test('[SRV-9] one visitor who asks for everything is stopped, and takes nothing from others', async () => {
  const { get } = create();
  expect((await get('acme/1-3f9a1c2b/en.095ce41d.json')).statusCode).toBe(200);
  const codes = [];
  for (let at = 0; at < 100; at += 1) {
    codes.push((await get(`acme/1-3f9a1c2b/en.${at.toString(16).padStart(8, '0')}.json`)).statusCode);
  }
  expect(codes.filter((code) => code === 404)).toHaveLength(19);
  expect(codes.at(-1)).toBe(429);
  // A kept file costs nothing, and another visitor has an allowance of its own.
  expect((await get('acme/1-3f9a1c2b/en.095ce41d.json')).statusCode).toBe(200);
  expect((await get('acme/1-3f9a1c2b/es-MX.095ce41d.json', 'br', '192.0.2.2')).statusCode).toBe(200);
});

test.each([
  'nobody/1-3f9a1c2b/en.095ce41d.json',
  'acme/01-3f9a1c2b/en.095ce41d.json',
  'acme/9999999999-3f9a1c2b/en.095ce41d.json',
  'acme/1-3f9a1c2b/en.json',
  'acme/1/en.095ce41d.json',
  'acme/1-3f9a/en.095ce41d.json',
  'acme/1-3f9a1c2b/..%2fen.095ce41d.json',
  `acme/1-3f9a1c2b/${'a'.repeat(150)}.095ce41d.json`,
])('[SRV-9] %s is not found, and nothing is made for it', async (path) => {
  const { get, ofFile } = create();
  expect((await get(path)).statusCode).toBe(404);
  expect(ofFile).not.toHaveBeenCalled();
});
