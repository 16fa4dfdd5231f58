// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';
import { forgetPendingDeposit, pendingDepositId, storePendingDeposit } from './pending-deposit.ts';

const wish = { userId: 'user-1', fingerprint: '["25","USD","card",null]' };
const now = 1_767_225_600_000;

beforeEach(() => localStorage.clear());

test('[DEP-16] the same wish of the same person finds its key, after a reload and in another tab', () => {
  expect(pendingDepositId(wish, now)).toBeUndefined();
  storePendingDeposit('id-1', wish, now);
  expect(pendingDepositId(wish, now + 599_000)).toBe('id-1');
});

test('[DEP-16] another wish, another person and another day have keys of their own', () => {
  storePendingDeposit('id-1', wish, now);
  expect(pendingDepositId({ ...wish, fingerprint: '["26","USD","card",null]' }, now)).toBeUndefined();
  expect(pendingDepositId({ ...wish, userId: 'user-2' }, now)).toBeUndefined();
  expect(pendingDepositId(wish, now + 600_000)).toBeUndefined();
  localStorage.setItem('cashier.deposit', 'nonsense');
  expect(pendingDepositId(wish, now)).toBeUndefined();
});

test('a settled deposit forgets its own key alone', () => {
  storePendingDeposit('id-2', wish, now);
  forgetPendingDeposit('id-1');
  expect(pendingDepositId(wish, now)).toBe('id-2');
  forgetPendingDeposit('id-2');
  expect(pendingDepositId(wish, now)).toBeUndefined();
});

test('nothing that was typed can be read from the storage', () => {
  storePendingDeposit('id-1', { ...wish, fingerprint: '["1234.56","USDT","btc","bc1qwallet"]' }, now);
  expect(localStorage.getItem('cashier.deposit')).not.toMatch(/1234|bc1q|btc|user-1/);
});
