import { CURRENCIES } from '@opencashier/core/money/currencies';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { describe, expect, test, vi } from 'vitest';
import { createHttpRates, rateTimeoutMs, refreshMs } from './http-rates.ts';
import { noRates } from './rate-source.ts';
import { quoteFrom, readRateTable } from './rate-table.ts';
import { createOwnMood } from './sandbox-mood.fixture.ts';
import { createSandboxRates } from './sandbox-rates.ts';

const staleAfter = { coinMs: 300_000, fiatMs: 86_400_000 };

describe('[CRY-3] the sandbox rates', () => {
  test('know every fiat currency and every coin of the table, and no bonus or sweepstake currency', async () => {
    const source = createSandboxRates(createTestClock(), staleAfter, createOwnMood());
    for (const { code, kind } of CURRENCIES) {
      const quote = await source.quote(code, 'USD');
      if (kind === 'fiat' || kind === 'crypto') expect(quote, code).toMatchObject({ isStale: false });
      else expect(quote, code).toBe('none');
    }
    expect(await source.quote('XXQ', 'USD')).toBe('none');
    expect(await source.quote('__proto__', 'USD')).toBe('none');
  });

  test('give the price over the dollar, and one to one for the same currency', async () => {
    const source = createSandboxRates(createTestClock(), staleAfter, createOwnMood());
    expect(await source.quote('BTC', 'USD')).toMatchObject({ rate: '62500' });
    expect(await source.quote('btc', 'eur')).toMatchObject({ rate: '50000' });
    expect(await source.quote('USD', 'DOGE')).toMatchObject({ rate: '8' });
    expect(await source.quote('DOGE', 'DOGE')).toMatchObject({ rate: '1', isStale: false });
  });

  test('of a stopped source become stale with age: crypto after minutes, fiat after a day', async () => {
    const clock = createTestClock();
    const source = createSandboxRates(clock, staleAfter, createOwnMood());
    await source.setMood('stopped');
    const at = clock.now();
    clock.advance(staleAfter.coinMs - 1);
    expect(await source.quote('USDT', 'USD')).toEqual({ rate: '1', at, staleAt: at + 300_000, isStale: false });
    clock.advance(1);
    expect(await source.quote('USDT', 'USD')).toMatchObject({ at, isStale: true });
    expect(await source.quote('EUR', 'USD')).toMatchObject({ at, isStale: false });
    clock.advance(staleAfter.fiatMs);
    expect(await source.quote('EUR', 'USD')).toMatchObject({ at, isStale: true });
    await source.setMood('fresh');
    expect(await source.quote('USDT', 'USD')).toMatchObject({ at: clock.now(), isStale: false });
  });

  test('can have any age, or be missing', async () => {
    const clock = createTestClock();
    const source = createSandboxRates(clock, staleAfter, createOwnMood());
    await source.setMood('stopped', 600_000);
    expect(await source.quote('BTC', 'USD')).toMatchObject({ at: clock.now() - 600_000, isStale: true });
    await source.setMood('down');
    expect([await source.mood(), await source.quote('BTC', 'USD')]).toEqual(['down', 'none']);
    expect(await noRates.quote('BTC', 'USD')).toBe('none');
  });
});

describe('a table of rates', () => {
  test('leaves out values that are not positive numbers and unknown currencies', () => {
    const rates = { EUR: 0.8, XXQ: 3, GBP: 'a lot', JPY: -1, BTC: 0, CHF: '0.80', DOGE: 1e-9 };
    const table = readRateTable({ base: 'usd', rates }, 5_000);
    expect(Object.fromEntries(table?.perBase ?? [])).toEqual({
      EUR: '0.8',
      CHF: '0.80',
      DOGE: '0.000000001',
      USD: '1',
    });
    expect(table?.at).toBe(5_000);
  });

  test.each([undefined, null, [], 'rates', {}, { rates: { EUR: {} } }, { rates: {}, at: 'yesterday' }])(
    '%j is not a table',
    (json) => {
      expect(readRateTable(json, 0)).toBeUndefined();
    },
  );

  test('has the time of its rates, never later than their arrival', () => {
    const now = Date.parse('2026-03-01T12:00:00Z');
    const at = (more: object) => readRateTable({ rates: {}, ...more }, now)?.at;
    expect(at({ timestamp: now / 1_000 - 90 })).toBe(now - 90_000);
    expect(at({ at: '2026-03-01T11:00:00Z' })).toBe(now - 3_600_000);
    expect(at({ timestamp: now / 1_000 + 3_600 })).toBe(now);
  });

  test('has no rate that is too small for a decimal string', () => {
    const table = readRateTable({ rates: { USD: 1, EUR: '0.00000000000000000001', IRR: '999999999999999' } }, 0);
    expect(table && quoteFrom(table, 'IRR', 'EUR', 0, staleAfter)).toBe('none');
  });
});

describe('rates over HTTP', () => {
  const body = (rates: object, more: object = {}) => new Response(JSON.stringify({ base: 'USD', rates, ...more }));

  const start = () => {
    const clock = createTestClock();
    const send = vi.fn<typeof fetch>();
    const warnings: unknown[] = [];
    const logger = { warn: (fields: object, message: string) => void warnings.push({ ...fields, message }) };
    const url = 'https://rates.example/latest?key=hidden';
    return { clock, send, warnings, source: createHttpRates({ url, staleAfter, clock, logger, fetch: send }) };
  };

  test('are requested once for all concurrent callers, and again after a minute', async () => {
    const { clock, send, source } = start();
    send.mockResolvedValueOnce(body({ BTC: 0.000016 })).mockResolvedValueOnce(body({ BTC: 0.00002 }));
    const both = await Promise.all([source.quote('BTC', 'USD'), source.quote('USD', 'BTC')]);
    expect(both).toMatchObject([{ rate: '62500' }, { rate: '0.000016' }]);
    clock.advance(refreshMs - 1);
    await source.quote('BTC', 'USD');
    expect(send).toHaveBeenCalledTimes(1);
    clock.advance(1);
    expect(await source.quote('BTC', 'USD')).toMatchObject({ rate: '50000' });
    expect(send).toHaveBeenCalledTimes(2);
  });

  test('stay available while the source is down, and become stale', async () => {
    const { clock, send, source, warnings } = start();
    send.mockResolvedValueOnce(body({ BTC: 0.000016 }));
    await source.quote('BTC', 'USD');
    const at = clock.now();
    send.mockRejectedValue(new TypeError('fetch failed for https://rates.example/latest?key=hidden'));
    clock.advance(refreshMs);
    expect(await source.quote('BTC', 'USD')).toMatchObject({ at, isStale: false });
    clock.advance(staleAfter.coinMs);
    expect(await source.quote('BTC', 'USD')).toMatchObject({ at, isStale: true });
    expect(warnings).toHaveLength(2);
    expect(JSON.stringify(warnings)).not.toContain('hidden');
  });

  test.each([
    ['a refusal', () => new Response('{}', { status: 503 })],
    ['no JSON', () => new Response('<html>')],
    ['another shape', () => new Response('{"quotes":{}}')],
    ['far too much', () => body({ EUR: '1'.repeat(300_000) })],
  ])('are missing after %s, and the source is not asked for a minute', async (_, answer) => {
    const { clock, send, source, warnings } = start();
    send.mockImplementation(async () => answer());
    expect(await source.quote('BTC', 'USD')).toBe('none');
    expect(await source.quote('BTC', 'USD')).toBe('none');
    expect([send.mock.calls.length, warnings.length]).toEqual([1, 1]);
    clock.advance(refreshMs);
    await source.quote('BTC', 'USD');
    expect(send).toHaveBeenCalledTimes(2);
  });

  test('are not waited for longer than a few seconds', async () => {
    const { clock, send, source } = start();
    let isAborted = false;
    send.mockImplementation((_, init) => {
      init?.signal?.addEventListener('abort', () => {
        isAborted = true;
      });
      return new Promise(() => undefined);
    });
    const asked = source.quote('BTC', 'USD');
    await clock.advanceAsync(rateTimeoutMs);
    expect([await asked, isAborted, clock.pending()]).toEqual(['none', true, 0]);
  });
});
