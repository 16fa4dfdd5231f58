import { type Transaction, transactionStatusCodes } from '@opencashier/contract/api';
import { expect, test } from 'vitest';
import { hostEventOf, isFinal, isFinishedRemotely, latestReport, statusOfCode, statusOfRemote } from './status.ts';

test('[DEP-15] 0, 1 and 2 are waiting, processed and mistaked', () => {
  expect([0, 1, 2].map(statusOfCode)).toEqual(['waiting', 'processed', 'mistaked']);
});

test.each([3, 4, -1, 0.5, 999, Number.NaN, '1', '0', null, undefined, true, {}])(
  '[DEP-15] the unknown status %j is accepted, never processed',
  (code) => {
    expect(statusOfCode(code)).toBe('accepted');
  },
);

test('the contract sends the numbers that are read here', () => {
  for (const [status, code] of Object.entries(transactionStatusCodes)) expect(statusOfCode(code)).toBe(status);
});

test('[HOST-15] the host receives processing, decline, success and progress', () => {
  expect((['accepted', 'mistaked', 'processed', 'waiting'] as const).map(hostEventOf)).toEqual([
    'processing',
    'decline',
    'success',
    'progress',
  ]);
});

test('[DEP-11] three provider states finish an invoice, and none of them is success', () => {
  expect(['AUTO_CANCELED', 'CANCELED', 'PAYED', 'PENDING', '', null].map(isFinishedRemotely)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(['PAYED', 'CANCELED', 'AUTO_CANCELED', 'PENDING', undefined].map(statusOfRemote)).toEqual([
    'accepted',
    'mistaked',
    'mistaked',
    'waiting',
    'waiting',
  ]);
});

test('only processed and mistaked are final', () => {
  expect((['waiting', 'accepted', 'processed', 'mistaked'] as const).map(isFinal)).toEqual([false, false, true, true]);
});

const report = (depositId: string, serverTime: string, status: number): Transaction => ({
  depositId,
  paymentMethod: 'card',
  status,
  amount: '25.00',
  currency: 'USD',
  created: '2026-01-01T00:00:00Z',
  serverTime,
});

test('an older report that arrives later does not restore an old status', () => {
  const credited = report('a', '2026-01-01T00:01:00Z', 1);
  const stale = report('a', '2026-01-01T00:00:30Z', 0);
  expect(latestReport(credited, stale)).toBe(credited);
  expect(latestReport(stale, credited)).toBe(credited);
  expect(latestReport(undefined, stale)).toBe(stale);
});

test('a report about another payment or without a time is ignored', () => {
  const known = report('a', '2026-01-01T00:01:00Z', 0);
  expect(latestReport(known, report('b', '2026-01-01T00:02:00Z', 1))).toBe(known);
  expect(latestReport(known, report('a', 'soon', 1))).toBe(known);
});
