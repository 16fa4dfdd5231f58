import { expect, test } from 'vitest';
import {
  CURRENCIES,
  currencyOf,
  DEFAULT_CRYPTO_CURRENCY,
  DEFAULT_FIAT_CURRENCY,
  decimalsOf,
  findCurrency,
  isCrypto,
  paidDecimals,
  paidStep,
  shownCode,
} from './currencies.ts';

test('[AMT-9] the money of every country, each with a symbol and a unique code', () => {
  // Of each continent one of the least used.
  for (const code of ['XCD', 'XPF', 'FKP', 'STN', 'BTN', 'GIP', 'XCG', 'ZWG'])
    expect(findCurrency(code)?.kind).toBe('fiat');
  expect(CURRENCIES.filter(({ kind }) => kind === 'fiat').length).toBeGreaterThanOrEqual(145);
  expect(new Set(CURRENCIES.map(({ code }) => code)).size).toBe(CURRENCIES.length);
  for (const { code, symbol } of CURRENCIES) {
    expect(code).toMatch(/^[A-Z]{2,5}$/);
    expect(symbol.trim()).not.toBe('');
  }
});

test('[AMT-9] exactly seven coins are crypto, with 8 decimals', () => {
  const crypto = CURRENCIES.filter(({ code }) => isCrypto(code));
  expect(crypto.map(({ code }) => code).sort()).toEqual([
    'BNB',
    'BTC',
    'DOGE',
    'ETH',
    'LTC',
    'POL',
    'SOL',
    'TON',
    'TRX',
    'USDC',
    'USDT',
  ]);
  expect(new Set(crypto.map(({ decimals }) => decimals))).toEqual(new Set([8]));
  const others = CURRENCIES.filter(({ code }) => !isCrypto(code));
  expect(new Set(others.map(({ decimals }) => decimals))).toEqual(new Set([2]));
});

test('[AMT-9] the platform knows every fiat code, so that a misspelt code is found', () => {
  const known = new Set(Intl.supportedValuesOf('currency'));
  const fiat = CURRENCIES.filter(({ kind }) => kind === 'fiat').map(({ code }) => code);
  expect(fiat.filter((code) => !known.has(code))).toEqual([]);
});

test('[AMT-9] a bonus wallet exists, and QGC is shown as QSC', () => {
  expect(CURRENCIES.filter(({ kind }) => kind === 'bonus')).toHaveLength(1);
  expect(shownCode('QGC')).toBe('QSC');
  expect(findCurrency('QGC')?.symbol).toBe('QSC');
  expect(shownCode('USD')).toBe('USD');
});

test('codes are found in any letter case; an unknown code stands for itself', () => {
  expect(findCurrency('usd')?.symbol).toBe('$');
  expect(findCurrency('XXQ')).toBeUndefined();
  expect(findCurrency('__PROTO__')).toBeUndefined();
  expect(currencyOf('xxq')).toEqual({ code: 'XXQ', symbol: 'XXQ', decimals: 2, kind: 'fiat' });
  expect(decimalsOf('btc')).toBe(8);
});

test('[AMT-9] currencies without hundredths or with thousandths follow ISO 4217', () => {
  const fiat = CURRENCIES.filter(({ kind }) => kind === 'fiat').map(({ code }) => code);
  const having = (decimals: number) => fiat.filter((code) => paidDecimals(code) === decimals).sort();
  expect(having(0)).toEqual('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '));
  expect(having(3)).toEqual('BHD IQD JOD KWD LYD OMR TND'.split(' '));
  expect(having(2)).toHaveLength(fiat.length - 23);
  expect(['USD', 'JPY', 'KRW', 'KWD', 'BTC', 'SC'].map((code) => paidStep(code))).toEqual([1n, 100n, 100n, 1n, 1n, 1n]);
  expect(paidStep('USDT', 6)).toBe(100n);
});

test('the widget starts with US dollars and tethers', () => {
  expect(findCurrency(DEFAULT_FIAT_CURRENCY)).toMatchObject({ code: 'USD', kind: 'fiat' });
  expect(findCurrency(DEFAULT_CRYPTO_CURRENCY)).toMatchObject({ code: 'USDT', kind: 'crypto' });
});
