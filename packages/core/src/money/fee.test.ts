import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leastAmount, splitWithdrawal } from '../withdrawal/withdrawal-fee.ts';
import { depositFee, feeOf } from './fee.ts';

test('[WD-2] a fee has a fixed part, a percentage, a minimum and a maximum, and is rounded down', () => {
  expect(feeOf(10_000n, 'USD', undefined)).toBe(0n);
  expect(feeOf(10_000n, 'USD', { fixed: '0.25', percent: '1.5' })).toBe(175n);
  expect(feeOf(1_999n, 'USD', { percent: '1' })).toBe(19n);
  expect(feeOf(1_000n, 'USD', { percent: '1', min: '0.50' })).toBe(50n);
  expect(feeOf(1_000_000n, 'USD', { percent: '1', max: '20' })).toBe(2_000n);
  expect(feeOf(1_000n, 'USD', { percent: '1', min: '3', max: '2' })).toBe(200n);
  // Yen are paid in whole units: 1.5 % of ¥150 is ¥2.25.
  expect(feeOf(15_000n, 'JPY', { percent: '1.5' })).toBe(200n);
  expect(feeOf(10_000n, 'USD', { percent: '1.5', paidBy: 'operator' })).toBe(0n);
  expect(() => feeOf(100n, 'USD', { min: 'much' })).toThrow(RangeError);
});

test('the fee of a deposit is at most what was paid', () => {
  expect(depositFee(10_000n, 'USD', { fixed: '1' })).toBe(100n);
  expect(depositFee(60n, 'USD', { fixed: '1' })).toBe(60n);
});

const cents = (most: number) => fc.integer({ min: 0, max: most }).map((minor) => (minor / 100).toFixed(2));
const anyRule = fc.record(
  {
    fixed: cents(100_000),
    percent: fc.integer({ min: 0, max: 9_999 }).map((share) => (share / 100).toFixed(2)),
    min: cents(100_000),
    max: cents(100_000),
    paidBy: fc.constantFrom('user' as const, 'operator' as const),
  },
  { requiredKeys: [] },
);
const anyAmount = fc.bigInt({ min: 1n, max: 10n ** 15n });

test('[WD-2] a larger amount never leaves less, and the fee is between its bounds', () => {
  fc.assert(
    fc.property(anyAmount, anyAmount, anyRule, (one, more, rule) => {
      const [fee, next] = [feeOf(one, 'USD', rule), feeOf(one + more, 'USD', rule)];
      expect(one + more - next).toBeGreaterThanOrEqual(one - fee);
      expect(fee).toBeGreaterThanOrEqual(0n);
      if (rule.max !== undefined) expect(fee).toBeLessThanOrEqual(BigInt(Math.round(Number(rule.max) * 100)));
      const credited = one - depositFee(one, 'USD', rule);
      expect(credited >= 0n && credited <= one).toBe(true);
    }),
  );
});

test('[WD-2] the least amount is the smallest of which something is left, with every part of a fee', () => {
  fc.assert(
    fc.property(anyRule, (rule) => {
      const least = leastAmount('USD', rule);
      expect(splitWithdrawal(least, 'USD', rule).receives).toBeGreaterThan(0n);
      if (least > 1n) expect(splitWithdrawal(least - 1n, 'USD', rule).receives).toBeLessThanOrEqual(0n);
    }),
  );
});
