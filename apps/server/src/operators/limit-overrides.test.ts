import { expect, test, vi } from 'vitest';
import { limitsOf, readLimitOverrides } from './limit-overrides.ts';

const all = { paymentMethod: 'card', currency: 'USD', min: '10', max: '100' };
const vip = { ...all, userId: 'vip', max: '9000' };

test('[AMT-3] a user’s override wins over the operator’s', () => {
  const overrides = readLimitOverrides({ depositLimits: [all, vip] }, () => undefined);
  expect(limitsOf(overrides, 'vip', 'card', 'USD')).toEqual({ min: '10', max: '9000' });
  expect(limitsOf(overrides, 'u-1', 'card', 'USD')).toEqual({ min: '10', max: '100' });
  expect(limitsOf(overrides, 'vip', 'card', 'EUR')).toBeUndefined();
  expect(limitsOf(overrides, 'vip', 'upi', 'USD')).toBeUndefined();
});

test('an invalid entry is left out and reported; settings of any other shape have no overrides', () => {
  const onInvalid = vi.fn();
  const overrides = readLimitOverrides({ depositLimits: [{ ...all, min: 10 }, all, null] }, onInvalid);
  expect(overrides).toEqual([all]);
  expect(onInvalid.mock.calls).toEqual([[0], [2]]);
  for (const settings of [null, undefined, 'x', [], {}, { depositLimits: {} }]) {
    expect(readLimitOverrides(settings, onInvalid)).toEqual([]);
  }
});
