import { type CallError, calls, extraParamsHeader, httpPathOf } from '@opencashier/contract/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoKey, demoUser, type RunningServer, socketClient, startServer } from './testing/running-server.ts';

let running: RunningServer;
let token: string;

beforeAll(async () => {
  running = await startServer({ metricsToken: 'm'.repeat(32), documentation: 'https://docs.example' });
  ({ token } = await running.tokens.issue(demoUser));
});
afterAll(() => running.stop());

const bearer = () => ({ authorization: `Bearer ${token}` });
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${running.url}${path}`, { headers, redirect: 'manual' });
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${running.url}${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...bearer(), ...headers },
  });

describe('calls over HTTP', () => {
  const path = httpPathOf(calls['methods-payment-v5']);
  const body = '{"country":"IN","currency":"INR"}';

  test('[NET-2] a POST lies under its prefix, takes JSON, is never kept and says the time of the server', async () => {
    expect(path).toBe('/api/BANKING/methods-payment-v5');
    expect(httpPathOf(calls.events)).toBe('/api/METRIC_EVENTS_HANDLER/events');
    const response = await post(path, body);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-server-time')).toBe(String(running.clock.now()));
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('[LIST-1] a list is compressed for who accepts it, and is the same over every way', async () => {
    const forms = await Promise.all(['gzip', 'identity'].map((form) => post(path, body, { 'accept-encoding': form })));
    expect(forms.map(({ headers }) => headers.get('content-encoding'))).toEqual(['gzip', null]);
    expect(forms.map(({ headers }) => headers.get('vary'))).toEqual(['accept-encoding', 'accept-encoding']);
    const [gzip, plain] = await Promise.all(forms.map((form) => form.json()));
    expect(gzip).toEqual(plain);
    expect(plain).toMatchObject({ country: 'IN', balance: { currency: 'INR', amount: '1250.00' } });
    const client = socketClient(running.url);
    const overSocket = await client.call(calls['methods-payment-v5'], JSON.parse(body), { token });
    client.close();
    expect(overSocket).toEqual({ status: 200, data: plain });
  });

  test('[NET-2] a GET takes its request from the query, and refuses a value given twice', async () => {
    const list = await get('/api/BANKING/methods-withdrawal?country=IN&currency=INR', bearer());
    expect(await list.json()).toMatchObject({ country: 'IN', currency: 'INR' });
    const twice = await get('/api/BANKING/methods-withdrawal?country=IN&country=RU&currency=INR', bearer());
    expect(twice.status).toBe(400);
  });

  test('[NET-2] the extra-params header chooses the language; a broken one is as good as none', async () => {
    const languages = async (header: string) => {
      const response = await post(path, body, { [extraParamsHeader]: header });
      const list = (await response.json()) as { methods: { text: object }[] };
      return Object.keys(list.methods[0]?.text ?? {}).sort();
    };
    expect(await languages(encodeURIComponent('{"language":"ar"}'))).toEqual(['ar', 'en']);
    for (const broken of ['%', '{', '[]', encodeURIComponent('{"language":5}'), 'x'.repeat(5000)]) {
      expect(await languages(broken)).toEqual(['en']);
    }
  });

  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])(
    'answers %s to a POST call with 405',
    async (method) => {
      const response = await fetch(`${running.url}${path}`, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
      if (method !== 'HEAD') expect(await response.json()).toMatchObject({ error: { code: 'method-not-allowed' } });
    },
  );

  test.each([
    ['{', 400, 'invalid-request'],
    ['', 400, 'invalid-request'],
    ['{"__proto__":{"a":1}}', 400, 'invalid-request'],
    ['null', 400, 'invalid-request'],
    [`{"country":"${'x'.repeat(70_000)}"}`, 413, 'request-too-large'],
  ])('answers the body %.20s with %d %s', async (text, status, code) => {
    const response = await post(path, text);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      error: { code, reference: expect.stringMatching(/^[0-9a-f]{12}$/) },
    });
  });

  test('every failure links to the page about its code', async () => {
    const answers = [
      await post(path, '{'),
      await get('/nowhere'),
      await fetch(`${running.url}${path}`, { method: 'PUT' }),
    ];
    const links = await Promise.all(
      answers.map(async (answer) => ((await answer.json()) as { error: CallError }).error.docs),
    );
    expect(links).toEqual(
      ['invalid-request', 'not-found', 'method-not-allowed'].map((code) => `https://docs.example/errors/#${code}`),
    );
    const operator = await fetch(`${running.url}/operator/v1/user-tokens`, { method: 'POST' });
    expect(await operator.json()).toMatchObject({
      error: { code: 'unauthorized', docs: 'https://docs.example/errors/#unauthorized' },
    });
  });

  test('answers another content type with 400 and an unknown path with 404, in the same shape', async () => {
    const typed = await post(path, body, { 'content-type': 'text/plain' });
    expect([typed.status, await typed.json()]).toMatchObject([400, { error: { code: 'invalid-request' } }]);
    for (const unknown of ['/api/BANKING/nothing', '/api/OTHER/deposit-create', '/nowhere', '/api/BANKING/%']) {
      const response = await get(unknown);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
      expect(Object.keys((await response.json()) as object)).toEqual(['error']);
    }
  });

  test('[SRV-1] takes requests of its own page and of the registered origins only', async () => {
    const own = new URL(running.url).host;
    for (const origin of ['https://cashier.example', `http://${own}`, 'https://play.example']) {
      expect((await post(path, body, { origin })).status).toBe(200);
    }
    for (const origin of ['https://evil.example', 'null', 'https://play.example.evil.example', 'http://play.example']) {
      const response = await post(path, body, { origin });
      expect([response.status, await response.json()]).toMatchObject([403, { error: { code: 'forbidden-origin' } }]);
    }
  });
});

describe('the log', () => {
  test('[SRV-9] holds route, status, operator and call, but no address, body, header, token or user', async () => {
    running.log.length = 0;
    await get('/api/BANKING/deposit-status?depositId=secret-in-the-query', bearer());
    await get('/operator/v1/users/secret-user/balances', { authorization: `Bearer ${demoKey}` });
    await post('/api/BANKING/deposit-create', '{"secret":"in the body"}', { 'x-extra-params': 'secret-header' });
    const text = running.log.join('');
    expect(text).toContain('/api/BANKING/deposit-status');
    expect(JSON.parse(running.log[0] ?? '')).toMatchObject({ call: 'deposit-status', operator: 'demo', status: 400 });
    expect(text).not.toMatch(/secret|Bearer|eyJ|u-1|sk_test/);
  });

  test('[SRV-9] a good answer to a probe is no line of the usual log, and a bad one is', async () => {
    const broken = await startServer({ ping: () => Promise.reject(new Error('away')) });
    for (const path of ['/health', '/ready', '/metrics']) await fetch(`${broken.url}${path}`);
    const lines = broken.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    const [debug, info] = [20, 30];
    expect(lines.map(({ route, status, level }) => [route, status, level])).toEqual([
      ['/health', 200, debug],
      ['/ready', 503, info],
      ['/metrics', 200, debug],
    ]);
  });
});

describe('probes', () => {
  test('[SRV-9] health, readiness with and without a database, and metrics for those who may', async () => {
    expect((await get('/health')).status).toBe(200);
    expect((await get('/ready')).status).toBe(200);
    const broken = await startServer({ ping: () => Promise.reject(new Error('away')) });
    expect((await fetch(`${broken.url}/health`)).status).toBe(200);
    expect((await fetch(`${broken.url}/ready`)).status).toBe(503);
    // Without a token only this machine may read the metrics.
    expect((await fetch(`${broken.url}/metrics`)).status).toBe(200);
    const proxied: Record<string, string>[] = [
      { 'x-forwarded-for': '203.0.113.9' },
      { 'x-real-ip': '203.0.113.9' },
      { forwarded: 'for=203.0.113.9' },
      { via: '1.1 proxy' },
    ];
    for (const headers of proxied) expect((await fetch(`${broken.url}/metrics`, { headers })).status).toBe(404);
    await broken.stop();

    expect((await get('/metrics')).status).toBe(404);
    await get('/api/BANKING/methods-country-selector-v2', bearer());
    const metrics = await get('/metrics', { authorization: `Bearer ${'m'.repeat(32)}` });
    expect(await metrics.text()).toMatch(
      /cashier_call_duration_seconds_count\{call="methods-country-selector-v2",transport="http",code="ok"\} [1-9]/,
    );
  });
});

describe("the operator's API", () => {
  const tokens = '/operator/v1/user-tokens';
  const key = { authorization: `Bearer ${demoKey}` };

  test('[SRV-1] gives a token of at most 15 minutes for a secret key, and the token is that user', async () => {
    const response = await post(tokens, '{"userId":"player-7","currency":"EUR","country":"DE","locale":"de"}', key);
    expect(response.status).toBe(200);
    const issued = (await response.json()) as { token: string; expiresAt: string };
    const now = running.clock.now();
    expect(Date.parse(issued.expiresAt) - now).toBeGreaterThan(0);
    expect(Date.parse(issued.expiresAt) - now).toBeLessThanOrEqual(15 * 60_000);
    expect(await running.tokens.identify(issued.token)).toMatchObject({
      kind: 'user',
      caller: { operatorId: 'demo', partnerKey: 'demo', userId: 'player-7', currency: 'EUR', country: 'DE' },
    });
  });

  test('[SRV-1] refuses a wrong key, a user token as key, and a key as user token', async () => {
    const body = '{"userId":"player-7","currency":"EUR"}';
    for (const authorization of ['Bearer sk_wrong', `Bearer ${token}`, `Basic ${demoKey}`, '']) {
      const response = await post(tokens, body, { authorization });
      expect([response.status, await response.json()]).toMatchObject([401, { error: { code: 'unauthorized' } }]);
    }
    expect((await post('/api/BANKING/session-start', '{"amount":"1","currency":"INR"}', key)).status).toBe(401);
  });

  test.each([
    ['{"userId":"","currency":"EUR"}', 'userId'],
    ['{"userId":"a b","currency":"EUR"}', 'userId'],
    ['{"userId":"a","currency":"euro"}', 'currency'],
    ['{"userId":"a","currency":"QQQ"}', 'currency'],
    ['{"userId":"a","currency":"EUR","country":"Germany"}', 'country'],
    ['{"userId":"a","currency":"EUR","admin":true}', 'admin'],
    ['{"currency":"EUR"}', 'userId'],
  ])('refuses %s by its field', async (body, path) => {
    const response = await post(tokens, body, key);
    expect([response.status, await response.json()]).toMatchObject([400, { error: { fields: [{ path }] } }]);
  });
});

describe('every answer', () => {
  test.each([
    '/health',
    '/',
    '/no/such',
    '/api/BANKING/deposit-status',
    '/operator/v1/transactions',
    '/cashier/assets/no.js',
  ])('[SRV-9] %s that is no page runs nothing, is not framed and is not taken for another type', async (path) => {
    const { headers } = await get(path);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('strict-transport-security')).toContain('max-age');
  });
});

describe('HEAD', () => {
  test.each([
    '/health',
    '/ready',
    '/',
    '/cashier',
    '/cashier/?partner=demo',
    '/cashier/deposit',
    '/cashier/assets/boot-c0abcde7.js',
    '/cashier/script-inventory.json',
    '/cashier/returned',
    '/api/BANKING/methods-withdrawal?country=IN&currency=INR',
    '/operator/v1/users/u-1/balances',
    '/no/such',
  ])('%s is answered as GET is, without a body', async (path) => {
    const headers = { authorization: `Bearer ${path.startsWith('/operator') ? demoKey : token}` };
    const ask = (method: string) => fetch(`${running.url}${path}`, { method, headers, redirect: 'manual' });
    const [head, full] = [await ask('HEAD'), await ask('GET')];
    expect(head.status).toBe(full.status);
    for (const name of ['content-type', 'cache-control', 'content-security-policy', 'location']) {
      expect(head.headers.get(name), name).toBe(full.headers.get(name));
    }
    expect(await head.text()).toBe('');
  });
});

describe("the widget's pages", () => {
  const bootOf = (html: string): unknown =>
    JSON.parse(/<script type="application\/json" id="boot-config">(.*?)<\/script>/.exec(html)?.[1] ?? 'null');

  test('[SRV-9] every client route is the page, framed by the registered origins of its partner alone', async () => {
    for (const path of ['/cashier/', '/cashier/deposit', '/cashier/deposit/redirect/card?x=1']) {
      const response = await get(`${path}${path.includes('?') ? '&' : '?'}partner=demo&locale=en`);
      expect(response.status).toBe(200);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain('frame-ancestors https://play.example;');
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|\*/);
      expect(policy).toContain('report-uri /cashier/csp-report; report-to csp');
      expect(response.headers.get('reporting-endpoints')).toBe('csp="https://cashier.example/cashier/csp-report"');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      expect(response.headers.get('permissions-policy')).toContain('microphone=()');
      expect(response.headers.get('strict-transport-security')).toContain('max-age');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      const boot = { partner: 'demo', allowedOrigins: ['https://play.example'], debug: false };
      expect(bootOf(await response.text())).toEqual(boot);
    }
  });

  test('[SRV-9] nobody may frame the page of a partner that nobody knows', async () => {
    for (const query of ['', '?partner=nobody', '?partner=demo&partner=demo', '?partner=%3Cscript%3E']) {
      const response = await get(`/cashier/deposit${query}`);
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none';");
      const html = await response.text();
      expect(bootOf(html)).toEqual({ partner: '', allowedOrigins: [], debug: false });
      expect(html).not.toContain('nobody');
    }
  });

  test('[SRV-9] exactly the inline script and style of the build may run', async () => {
    const response = await get('/cashier/?partner=demo');
    const policy = response.headers.get('content-security-policy') ?? '';
    const { createHash } = await import('node:crypto');
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    expect(policy).toContain(`script-src 'self' ${hash("document.documentElement.dataset.boot = 'yes';")};`);
    expect(policy).toContain(`style-src 'self' ${hash('body{margin:0}')};`);
  });

  test('compresses the page', async () => {
    const [plain, br, gzip] = await Promise.all(
      ['identity', 'gzip, deflate, br', 'gzip'].map((encoding) =>
        get('/cashier/?partner=demo', { 'accept-encoding': encoding }),
      ),
    );
    expect(plain?.headers.get('content-encoding')).toBeNull();
    expect(br?.headers.get('content-encoding')).toBe('br');
    expect(gzip?.headers.get('content-encoding')).toBe('gzip');
    const text = await plain?.text();
    expect(await br?.text()).toBe(text);
    expect(await gzip?.text()).toBe(text);
  });

  test.each([
    'server/texts.json',
    '/server/texts.json',
    '%2fserver/texts.json',
    'server%2ftexts.json',
    './%2e/server/texts.json',
    'static/..%2fserver/texts.json',
    'static/.%2e%2f%2fserver//texts.json',
    '%5cserver/texts.json',
    'Server/texts.json',
    '//server/',
  ])('[SRV-9] sends nobody what the build has for the server: /cashier/%s', async (path) => {
    const answer = await get(`/cashier/${path}`);
    expect([answer.status, (await answer.json()) as object]).toMatchObject([404, { error: { code: 'not-found' } }]);
  });

  test('keeps hashed files for ever, asks again for the others, and misses what is not there', async () => {
    const script = await get('/cashier/assets/boot-c0abcde7.js', { 'accept-encoding': 'gzip' });
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(script.headers.get('content-encoding')).toBe('gzip');
    expect(await script.text()).toContain('a script of the widget');
    const hashed = await get('/cashier/static/locales/ar.095ce41d.json');
    expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    // A word may look like a hash.
    const inventory = await get('/cashier/script-inventory.json');
    expect([inventory.status, inventory.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    const drawing = await get('/cashier/static/icons/premium-trust-bank.svg');
    expect(drawing.headers.get('cache-control')).toBe('public, max-age=86400, stale-while-revalidate=2592000');
    const locale = await get('/cashier/static/locales/en.json');
    expect(locale.headers.get('cache-control')).toBe('no-cache');
    expect(await locale.json()).toEqual({ title: 'Deposit' });
    for (const missing of ['/cashier/assets/gone-c0abcde7.js', '/cashier/..%2f..%2fserver.ts', '/cashier/.env']) {
      const response = await get(missing);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
      expect(await response.json()).toHaveProperty('error');
    }
  });

  test('sends the root to the product and keeps the query on the way', async () => {
    expect((await get('/')).headers.get('location')).toBe('/cashier/');
    expect((await get('/cashier?partner=demo')).headers.get('location')).toBe('/cashier/?partner=demo');
  });
});

describe('callbacks of providers', () => {
  test('are taken as bytes of any type, up to their limit', async () => {
    const send = (name: string, body: string, type: string) =>
      fetch(`${running.url}/providers/${name}/callbacks`, { method: 'POST', body, headers: { 'content-type': type } });
    expect((await send('sandbox', '{broken', 'application/json')).status).toBe(202);
    expect((await send('sandbox', 'a=b', 'application/x-www-form-urlencoded')).status).toBe(202);
    expect((await send('nobody', '{}', 'application/json')).status).toBe(404);
    expect((await send('sandbox', 'x'.repeat(300_000), 'text/plain')).status).toBe(413);
  });
});
