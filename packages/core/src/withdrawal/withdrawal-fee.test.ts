import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leastAmount, splitWithdrawal } from './withdrawal-fee.ts';

test('[WD-2] the fee is a fixed part and a percentage, each rounded down once', () => {
  expect(splitWithdrawal(10_000n, 'USD', undefined)).toEqual({ fee: 0n, receives: 10_000n });
  expect(splitWithdrawal(10_000n, 'USD', { fixed: '1.50', percent: '2.5' })).toEqual({ fee: 400n, receives: 9_600n });
  expect(splitWithdrawal(1_999n, 'USD', { percent: '1' })).toEqual({ fee: 19n, receives: 1_980n });
  expect(splitWithdrawal(100_000_000n, 'BTC', { fixed: '0.00005' })).toEqual({ fee: 5_000n, receives: 99_995_000n });
  expect(splitWithdrawal(100n, 'USD', { fixed: '1.00' }).receives).toBe(0n);
  expect(() => splitWithdrawal(100n, 'USD', { fixed: 'much' })).toThrow(RangeError);
});

test('[WD-2] fee and received amount add up to the amount, and a larger amount never yields less', () => {
  const amount = fc.bigInt({ min: 1n, max: 10n ** 15n });
  const rule = fc.record({
    fixed: fc.integer({ min: 0, max: 100_000 }).map((minor) => (minor / 100).toFixed(2)),
    percent: fc.integer({ min: 0, max: 9_999 }).map((share) => (share / 100).toFixed(2)),
  });
  fc.assert(
    fc.property(amount, amount, rule, (one, other, fees) => {
      const split = splitWithdrawal(one, 'USD', fees);
      expect(split.fee + split.receives).toBe(one);
      if (other >= one) expect(splitWithdrawal(other, 'USD', fees).receives).toBeGreaterThanOrEqual(split.receives);
    }),
  );
});

test('[WD-2] the least amount is the smallest of which the user receives something', () => {
  for (const rule of [undefined, { fixed: '1.00' }, { percent: '99.9' }, { fixed: '3.33', percent: '12.5' }]) {
    const least = leastAmount('USD', rule);
    expect(splitWithdrawal(least, 'USD', rule).receives).toBeGreaterThan(0n);
    expect(least === 1n || splitWithdrawal(least - 1n, 'USD', rule).receives <= 0n).toBe(true);
  }
});

test('[WD-2] the least amount is computed for any fee below 100 percent, and a fee of 100 percent or more throws', () => {
  const rule = fc.record({
    fixed: fc.integer({ min: 0, max: 10_000_000 }).map((minor) => (minor / 100).toFixed(2)),
    percent: fc.integer({ min: 0, max: 9_999_999_999 }).map((share) => (share / 100_000_000).toFixed(8)),
  });
  fc.assert(
    fc.property(rule, fc.constantFrom('USD', 'JPY'), (fees, currency) => {
      const least = leastAmount(currency, fees);
      expect(splitWithdrawal(least, currency, fees).receives).toBeGreaterThan(0n);
      if (currency === 'USD' && least > 1n)
        expect(splitWithdrawal(least - 1n, currency, fees).receives).toBeLessThanOrEqual(0n);
    }),
  );
  for (const percent of ['100', '250', '1e3', '-1']) {
    expect(() => leastAmount('USD', { percent }), percent).toThrow(RangeError);
  }
});
