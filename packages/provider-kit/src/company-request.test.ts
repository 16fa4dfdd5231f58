import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { numberIn, recordOf, recordsOf, textIn, timeIn } from './company-json.ts';
import { askCompany } from './company-request.ts';

const server = createServer((request, response) => {
  if (request.url === '/moved') response.writeHead(302, { location: 'https://elsewhere.example/' }).end();
  else if (request.url === '/large') response.end(`"${'x'.repeat(1_000_001)}"`);
  else if (request.url === '/page') response.writeHead(502).end('<html>Bad gateway</html>');
  else if (request.url === '/json') response.end(JSON.stringify(request.headers));
});
let address = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
});

const ask = (path: string, signal = AbortSignal.timeout(5_000)) =>
  askCompany(`${address}${path}`, { headers: { authorization: 'Bearer key' }, signal });

describe('[SRV-4] a request to a company', () => {
  test('answers the status and the parsed JSON, and an error page has none', async () => {
    expect(await ask('/json')).toMatchObject({ status: 200, body: { authorization: 'Bearer key' } });
    expect(await ask('/page')).toEqual({ status: 502, body: undefined });
  });

  test('throws where the outcome is unknown: a redirect, too much text, no answer in time', async () => {
    await expect(ask('/moved')).rejects.toThrow();
    await expect(ask('/large')).rejects.toThrow('more than 1000000 bytes');
    await expect(ask('/silent', AbortSignal.timeout(50))).rejects.toThrow();
  });

  test('what a company sent is checked, and a message names the place and never the value', () => {
    const given = recordOf(
      { id: 'pay_1', at: '2026-01-02T03:04:05.1234567Z', amount: 2_500, list: [{}] },
      'the payment',
    );
    expect([textIn(given, 'id', /^pay_/), timeIn(given, 'at'), numberIn(given, 'amount')]).toEqual([
      'pay_1',
      '2026-01-02T03:04:05.123Z',
      2_500,
    ]);
    expect(recordsOf(given['list'], 'list')).toEqual([{}]);
    for (const wrong of [
      () => recordOf([], 'the payment'),
      () => recordsOf({}, 'list'),
      () => recordsOf(['secret'], 'list'),
      () => textIn(given, 'id', /^act_/),
      () => textIn(given, 'missing'),
      () => timeIn(given, 'id'),
      () => numberIn(given, 'id'),
    ]) {
      expect(wrong).toThrow(/^(?:the payment|list|an item of list|id|missing) is no /);
    }
  });
});
