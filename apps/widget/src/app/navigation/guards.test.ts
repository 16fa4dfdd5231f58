import { expect, test } from 'vitest';
import { indiaCatalogue } from '../../kit/method/catalogue-fixture.ts';
import type { MethodListState } from '../../kit/method/method-list.ts';
import { cryptoBalanceProduct } from '../../products/crypto-balance.ts';
import { mainProduct } from '../../products/main.ts';
import { guardRoute } from './guards.ts';

const ready: MethodListState = { at: 'ready', list: indiaCatalogue };
const needsMethod = { needs: 'method' } as const;

test('[NAV-3] without a method or group that exists the way leads home', () => {
  const toMain = { kind: 'redirect', to: '/' };
  expect(guardRoute(mainProduct, needsMethod, {}, ready)).toEqual(toMain);
  expect(guardRoute(mainProduct, needsMethod, { method: 'unheard_of' }, ready)).toEqual(toMain);
  expect(guardRoute(mainProduct, { needs: 'group' }, { group: 'unheard_of' }, ready)).toEqual(toMain);
  expect(guardRoute(cryptoBalanceProduct, needsMethod, {}, ready)).toEqual({ kind: 'redirect', to: '/cryptobalance' });
});

test('[NAV-3] a method that is shown but cannot be used is not entered by its address', () => {
  expect(guardRoute(mainProduct, needsMethod, { method: 'netbanking' }, ready).kind).toBe('redirect');
});

test('[NAV-3] a chosen method or group enters', () => {
  expect(guardRoute(mainProduct, needsMethod, { method: 'bank_card' }, ready)).toEqual({ kind: 'enter' });
  expect(guardRoute(mainProduct, { needs: 'group' }, { group: 'crypto' }, ready)).toEqual({ kind: 'enter' });
  expect(guardRoute(mainProduct, {}, {}, { at: 'loading' })).toEqual({ kind: 'enter' });
});

test('a reload waits for the catalogue instead of sending the person away', () => {
  expect(guardRoute(mainProduct, needsMethod, { method: 'bank_card' }, { at: 'loading' })).toEqual({ kind: 'wait' });
});
