import { createTestClock } from '@opencashier/core/time/test-clock';
import { fastify } from 'fastify';
import { describe, expect, test } from 'vitest';
import { createRateLimiter, unlimited } from '../limits/rate-limiter.ts';
import { createLogger } from '../observability/logger.ts';
import { createMetrics } from '../observability/metrics.ts';
import { cspReports, mostLinesPerHour, oncePerHour, reportsPerMinute } from './csp-reports.ts';

const page = 'https://cashier.example/cashier/deposit?token=secret-in-the-query';

async function setUp({ isLimited = false } = {}) {
  const clock = createTestClock();
  const metrics = createMetrics();
  const lines: string[] = [];
  const server = fastify();
  const limiter = isLimited ? createRateLimiter(clock) : unlimited;
  const logger = createLogger('info', { write: (line: string) => void lines.push(line) });
  const publicUrl = 'https://cashier.example';
  await server.register(cspReports({ product: 'cashier', publicUrl, metrics, limiter, logger, clock }));
  const post = (body: unknown, type = 'application/csp-report') =>
    server.inject({
      method: 'POST',
      url: '/cashier/csp-report',
      headers: { 'content-type': type },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const counted = async () =>
    (await metrics.read()).text.split('\n').filter((line) => line.startsWith('cashier_csp_violations_total{'));
  return { clock, lines, post, counted };
}

const byUri = (blocked: string, directive = 'script-src-elem', document = page) => ({
  'csp-report': {
    'document-uri': document,
    referrer: 'https://play.example/secret-path',
    'effective-directive': directive,
    'blocked-uri': blocked,
    'script-sample': 'secret sample',
  },
});
const byApi = (blockedURL: string, effectiveDirective = 'img-src') => ({
  type: 'csp-violation',
  age: 3,
  url: page,
  user_agent: 'secret agent',
  body: { documentURL: page, effectiveDirective, blockedURL, disposition: 'enforce', sample: 'secret sample' },
});

describe('reports of the policy', () => {
  test('[SRV-9] of both forms are counted by directive and kind', async () => {
    const { post, counted } = await setUp();
    expect((await post(byUri('https://evil.example/x.js?q=secret'))).statusCode).toBe(204);
    expect((await post(byUri('inline', 'script-src-elem https://a.example'))).statusCode).toBe(204);
    const answer = await post(
      [
        byApi('data'),
        byApi('https://cashier.example/own.png'),
        byApi('chrome-extension://secret/a'),
        { type: 'deprecation' },
      ],
      'application/reports+json',
    );
    expect(answer.statusCode).toBe(204);
    expect(await counted()).toEqual([
      'cashier_csp_violations_total{directive="script-src-elem",blocked="other-origin"} 1',
      'cashier_csp_violations_total{directive="script-src-elem",blocked="inline"} 1',
      'cashier_csp_violations_total{directive="img-src",blocked="data"} 1',
      'cashier_csp_violations_total{directive="img-src",blocked="self"} 1',
      'cashier_csp_violations_total{directive="img-src",blocked="extension"} 1',
    ]);
  });

  test('[SRV-9] [NET-8] are logged once an hour per directive and origin, without path, query, page, sample or agent', async () => {
    const { clock, lines, post, counted } = await setUp();
    for (let n = 0; n < 3; n += 1) await post(byUri(`https://user:secret@evil.example/secret-${n}?secret#secret`));
    await post([byApi('https://evil.example/'), byApi('blob:https://cashier.example/secret')]);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { directive: 'script-src-elem', blocked: 'https://evil.example' },
      { directive: 'img-src', blocked: 'https://evil.example' },
      { directive: 'img-src', blocked: 'blob' },
    ]);
    expect(lines.join('')).not.toMatch(/secret|deposit|play\.example/);
    expect((await counted()).join()).not.toMatch(/evil|secret/);
    clock.advance(3_600_000);
    await post(byUri('https://evil.example/'));
    expect(lines).toHaveLength(4);
  });

  test('[SRV-9] of other pages are passed over, and what strangers make up fills neither log nor metrics', async () => {
    const { lines, post, counted } = await setUp();
    expect((await post(byUri('inline', 'script-src', 'https://evil.example/'))).statusCode).toBe(204);
    expect(lines).toEqual([]);
    for (let n = 0; n < mostLinesPerHour + 20; n += 1) await post(byUri(`https://h${n}.example`, `made-up-${n}`));
    expect(lines).toHaveLength(mostLinesPerHour);
    expect(await counted()).toEqual([
      `cashier_csp_violations_total{directive="other",blocked="other-origin"} ${mostLinesPerHour + 20}`,
    ]);
  });

  test('[SRV-9] and takes no more memory than the log: what is not said is not remembered', () => {
    const clock = createTestClock();
    const said = new Set<string>();
    const isNews = oncePerHour(clock, said);
    const lines = Array.from({ length: 10 * mostLinesPerHour }, (_, n) => `img-src https://h${n}.example`);
    expect(lines.filter(isNews)).toHaveLength(mostLinesPerHour);
    expect(said.size).toBe(mostLinesPerHour);
    clock.advance(3_600_000);
    expect(isNews('img-src https://h0.example')).toBe(true);
    expect(said.size).toBe(1);
  });

  test.each([
    ['no JSON', '{', 400],
    ['nothing', '', 400],
    ['another shape', { hello: 1 }, 400],
    ['too many at once', Array.from({ length: 21 }, () => byApi('inline')), 400],
    ['too much', 'x'.repeat(17_000), 413],
  ])('[SRV-9] are refused: %s', async (_title, body, status) => {
    const { post, lines } = await setUp();
    expect((await post(body)).statusCode).toBe(status);
    expect(lines).toEqual([]);
  });

  test('[SRV-9] are limited per address, with the time to wait', async () => {
    const { post, counted } = await setUp({ isLimited: true });
    for (let n = 0; n < reportsPerMinute; n += 1) await post(byUri('inline'));
    const refused = await post(byUri('inline'));
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    expect((await counted())[0]).toMatch(new RegExp(`} ${reportsPerMinute}$`));
  });
});
