import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { httpPathOf, socketEventOf } from './call.ts';
import { extraParamsHeader, formatExtraParams, parseExtraParams } from './call-context.ts';
import { calls } from './call-registry.ts';
import { errorCodes, isSuccessStatus } from './error.ts';

/** §7, in the specification's order. */
const specified = [
  ['POST', 'deposit-limits'],
  ['POST', 'methods-payment-v5'],
  ['POST', 'methods-payment-v3'],
  ['GET', 'methods-country-selector-v2'],
  ['GET', 'methods-withdrawal-v4'],
  ['GET', 'methods-withdrawal'],
  ['POST', 'deposit-create'],
  ['POST', 'deposit-create-sweepstake'],
  ['POST', 'deposit-create-p2p'],
  ['POST', 'deposit-complete'],
  ['GET', 'deposit-status'],
  ['POST', 'deposit-cancel'],
  ['POST', 'deposit-check'],
  ['POST', 'deposit-prepare'],
  ['POST', 'bank-get'],
  ['POST', 'session-start'],
  ['POST', 'external-deposit-continue'],
  ['POST', 'sweepstake-boxes'],
  ['POST', 'payment-convert-v2'],
  ['POST', 'sweepstake-balance-get'],
  ['POST', 'sweepstake-recoup-sum'],
  ['POST', 'session-form-on-close-modal'],
  ['POST', 'events'],
] as const;

describe('calls', () => {
  test('every call of the specification is defined with its method', () => {
    for (const [method, name] of specified) expect(calls[name].method, name).toBe(method);
  });

  test('names agree with their keys, and errors with the catalogue', () => {
    for (const [key, call] of Object.entries(calls)) {
      expect(call.name).toBe(key);
      for (const code of call.errors) expect(errorCodes).toHaveProperty([code]);
      expect(call.summary).toMatch(/\.$/);
    }
  });

  test('a call by GET has only short identifiers in its request', () => {
    for (const call of Object.values(calls)) {
      if (call.method !== 'GET') continue;
      const entries = Object.keys((call.request as unknown as { entries: object }).entries);
      for (const name of entries)
        expect(['currency', 'country', 'depositId', 'withdrawalId', 'paymentMethod']).toContain(name);
    }
  });

  test('[NET-2] the path on HTTP and [NET-3] the event on the socket', () => {
    expect(httpPathOf(calls['deposit-create'])).toBe('/api/BANKING/deposit-create');
    expect(socketEventOf(calls['deposit-create'])).toBe('BANKING:deposit-create');
    expect(httpPathOf(calls.events)).toBe('/api/METRIC_EVENTS_HANDLER/events');
  });

  test('a deposit request drops unknown fields', () => {
    const request = {
      amount: '25.00',
      currency: 'USD',
      depositId: '6f1c1c52-5d1c-4c55-9b6b-3d5a0a6b7f01',
      paymentType: 'card',
      role: 1,
      balance: '1000000',
    };
    const read = v.parse(calls['deposit-create'].request, request);
    expect(read).not.toHaveProperty('role');
    expect(read).not.toHaveProperty('balance');
    expect(read).toMatchObject({ isActivatedBonus: false, fields: {} });
  });

  test.each(['1e3', '-1', '01', '1.', '.5', ' 1', '1,5', 'NaN', '', '1'.repeat(41)])(
    'an amount is never %j',
    (amount) => {
      const read = v.safeParse(calls['session-start'].request, { amount, currency: 'USD' });
      expect(read.success).toBe(false);
    },
  );
});

describe('status', () => {
  test.each([
    [-1, false, true],
    [0, false, true],
    [99, false, true],
    [100, false, false],
    [199, false, false],
    [200, true, true],
    [299, true, true],
    [300, false, false],
    [401, false, false],
    [599, false, false],
    [600, false, false],
    [601, false, true],
    [Number.NaN, false, false],
    ['200', false, false],
    [null, false, false],
  ])('[ERR-1] %j on HTTP %j, on the socket %j', (status, http, socket) => {
    expect(isSuccessStatus(status, 'http')).toBe(http);
    expect(isSuccessStatus(status, 'socket')).toBe(socket);
  });
});

describe('extra params', () => {
  const context = {
    partnerKey: 'demo',
    userId: 'Ünal 😀',
    xOrigin: 'https://example.com',
    language: 'tr',
    platform: 'ios',
    isNative: true,
    pwa: false,
    isMobileApp: true,
  };

  test('[HOST-16] survive the header, and the header is ASCII', () => {
    const header = formatExtraParams(context);
    expect(header).toMatch(/^[\x20-\x7e]+$/);
    expect(parseExtraParams(header)).toEqual(context);
    expect(extraParamsHeader).toBe('x-extra-params');
  });

  test.each([undefined, '', '%', 'null', '7', encodeURIComponent('{"isNative":"yes","platform":9}'), 'x'.repeat(9000)])(
    'a bad header (%#) gives the defaults',
    (header) => {
      expect(parseExtraParams(header)).toMatchObject({ platform: 'web', isNative: false, language: 'en' });
    },
  );
});
