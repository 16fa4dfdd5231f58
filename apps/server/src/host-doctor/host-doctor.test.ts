import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRateLimiter } from '../limits/rate-limiter.ts';
import { demoUser, type RunningServer, startServer } from '../transports/testing/running-server.ts';
import { examineAnswer } from './examine-answer.ts';
import { frameSourcesOf, isSourceAllowed } from './frame-sources.ts';
import { questionsPerMinute } from './host-doctor.ts';

const page = 'https://play.example';
let server: RunningServer;
let token: string;
beforeAll(async () => {
  server = await startServer();
  ({ token } = await server.tokens.issue(demoUser));
});
afterAll(() => server.stop());

async function problemsOf(fields: Record<string, string>): Promise<string[]> {
  const response = await fetch(`${server.url}/doctor`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ partner: 'demo', origin: page, ...fields }),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const { problems } = (await response.json()) as { problems: { code: string; message: string }[] };
  // A sentence says what is wrong, and a second one what to do.
  for (const { message } of problems) expect(message).toMatch(/^.+\. [A-Z`].+\.$/);
  return problems.map(({ code }) => code);
}

describe('what the SDK asks', () => {
  test('[HOST-7] a host without a fault has no problem', async () => {
    expect(await problemsOf({ token, userId: 'u-1' })).toEqual([]);
  });

  test.each<[string, Record<string, string>]>([
    ['partner-unknown', { partner: 'nobody' }],
    ['partner-unknown', { partner: '' }],
    ['origin-not-listed', { origin: 'https://evil.example' }],
    ['origin-not-listed', { origin: 'http://play.example' }],
    ['origin-not-listed', { ancestor: 'https://portal.example' }],
    ['origin-malformed', { origin: 'null' }],
    ['origin-malformed', { origin: 'https://play.example/deposit' }],
    ['frame-policy', { policy: "default-src 'self'" }],
    ['frame-policy', { policy: 'frame-src https://other.example; default-src *' }],
    ['token-missing', { token: '' }],
    ['token-is-secret-key', { token: 'sk_live_0123456789' }],
    ['token-refused', { token: 'not-a-token' }],
  ])('[HOST-11] %s is said of %j', async (code, fields) => {
    expect(await problemsOf(fields)).toEqual([code]);
  });

  test('[HOST-11] a token of another user and an expired token give different findings', async () => {
    expect(await problemsOf({ token, userId: 'u-2' })).toEqual(['user-differs']);
    const old = (await server.tokens.issue(demoUser)).token;
    await server.clock.advance(16 * 60_000);
    expect(await problemsOf({ token: old, userId: 'u-1' })).toEqual(['token-expired']);
    ({ token } = await server.tokens.issue(demoUser));
  });

  test('[SRV-8] one address asks so often in a minute, and no body is too long to be refused', async () => {
    const limited = await startServer({ limiter: createRateLimiter({ now: () => 0 }) });
    const ask = () => fetch(`${limited.url}/doctor`);
    for (let count = 0; count < questionsPerMinute; count += 1) expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await limited.stop();
    const body = new URLSearchParams({ partner: 'x'.repeat(40_000) });
    expect((await fetch(`${server.url}/doctor`, { method: 'POST', body })).status).toBe(413);
    const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    expect((await fetch(`${server.url}/doctor`, json)).status).toBe(400);
  });
});

describe('the page for people', () => {
  test('names the fault and the remedy, can be framed by nobody and runs its own script alone', async () => {
    const response = await fetch(`${server.url}/doctor?partner=demo&origin=https://evil.example`);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(/script-src 'sha256-[^' ]+';/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const html = await response.text();
    expect(html).toContain('opencashier add-origin demo https://evil.example');
    expect(html).toContain('1 problem keeps the cashier from working.');
    expect(html).toContain('frame-src https://cashier.example');
  });

  test('writes nothing of a page as HTML, and never a token', async () => {
    const canary = '"><script>alert(1)</script>';
    const query = new URLSearchParams({ partner: canary, origin: canary, userId: canary, policy: canary, token });
    const read = await (await fetch(`${server.url}/doctor?${query}`)).text();
    const sent = await (await fetch(`${server.url}/doctor`, { method: 'POST', body: query })).text();
    for (const html of [read, sent]) {
      expect(html).not.toContain('<script>alert');
      expect(html).not.toContain(token);
    }
    // A token in an address is not even examined.
    expect(read).toContain('No user token was given.');
    expect(sent).toContain('The user token is valid.');
  });

  test('a field of the form that was left empty is not examined', async () => {
    const body = new URLSearchParams({ by: 'form', partner: 'demo', origin: '', token: '', userId: '', policy: '' });
    const html = await (await fetch(`${server.url}/doctor`, { method: 'POST', body })).text();
    expect(html).toContain('No problem was found.');
    expect(html.match(/data-verdict="skipped"/g)).toHaveLength(6);
  });
});

describe('sources of frames', () => {
  test.each([
    ["default-src 'self'", ["'self'"]],
    ["default-src 'self'; FRAME-SRC https://a.example  https://b.example", ['https://a.example', 'https://b.example']],
    ["Content-Security-Policy: child-src 'none'", ["'none'"]],
    ["script-src 'self'", undefined],
  ])('of %s', (policy, sources) => {
    expect(frameSourcesOf(policy)).toEqual(sources);
  });

  test.each([
    ['*', true],
    ['https:', true],
    ['http:', true],
    ['data:', false],
    ['https://pay.example.com', true],
    ['https://pay.example.com/', true],
    ['pay.example.com', true],
    ['http://pay.example.com', true],
    ['*.example.com', true],
    ['https://*.example.com:443', true],
    ['https://pay.example.com:*', true],
    ['https://pay.example.com:8443', false],
    ['*.pay.example.com', false],
    ['example.com', false],
    ["'self'", false],
    ["'none'", false],
  ])('%s matches the cashier: %s', (source, isAllowed) => {
    expect(isSourceAllowed('https://pay.example.com', [source])).toBe(isAllowed);
  });
});

describe('[HOST-11] headers of the page of the cashier', () => {
  const policy = `default-src 'none'; frame-ancestors ${page} https://www.example`;
  test.each<[string, { policy: string; frameOptions: string }, string, string | undefined]>([
    ['unchanged', { policy, frameOptions: '' }, 'good', undefined],
    ['X-Frame-Options added', { policy, frameOptions: 'SAMEORIGIN' }, 'advice', 'frame-options-added'],
    ['no policy', { policy: '', frameOptions: '' }, 'bad', 'frame-ancestors-changed'],
    ['X-Frame-Options in its place', { policy: '', frameOptions: 'DENY' }, 'bad', 'frame-ancestors-changed'],
    ['other ancestors', { policy: "frame-ancestors 'self'", frameOptions: '' }, 'bad', 'frame-ancestors-changed'],
    ['everybody', { policy: 'frame-ancestors *', frameOptions: '' }, 'bad', 'frame-ancestors-changed'],
    ['one origin less', { policy: `frame-ancestors ${page}`, frameOptions: '' }, 'bad', 'frame-ancestors-changed'],
    [
      'a second policy',
      { policy: `${policy}, frame-ancestors 'self'`, frameOptions: '' },
      'bad',
      'frame-ancestors-changed',
    ],
    [
      'a second policy of other things',
      { policy: `${policy}, object-src 'none'`, frameOptions: '' },
      'good',
      undefined,
    ],
  ])('%s', (_what, headers, verdict, code) => {
    const found = examineAnswer(headers, [page, 'https://www.example']);
    expect([found.verdict, found.code]).toEqual([verdict, code]);
    if (code !== undefined) expect(found.message).toMatch(/^.+\. [A-Z`].+\.$/);
  });

  test('a partner without origins is framed by nobody', () => {
    expect(examineAnswer({ policy: "frame-ancestors 'none'", frameOptions: '' }, []).verdict).toBe('good');
  });

  test('the server judges what it sends itself as good', async () => {
    const sent = await fetch(`${server.url}/cashier/deposit?partner=demo`);
    const body = new URLSearchParams({
      partner: 'demo',
      policy: sent.headers.get('content-security-policy') ?? '',
      frameOptions: sent.headers.get('x-frame-options') ?? '',
    });
    const answer = await fetch(`${server.url}/doctor/answer`, { method: 'POST', body });
    expect(await answer.json()).toMatchObject({ verdict: 'good' });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});
