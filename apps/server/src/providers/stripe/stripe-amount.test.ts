import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromStripeAmount, toStripeAmount } from './stripe-amount.ts';

describe('amounts', () => {
  test.each([
    ['EUR', 2500n, 2500],
    ['JPY', 2500n, 25],
    ['KWD', 2500n, 25_000],
    ['ISK', 2500n, 2500],
  ])('%s: %s hundredths are %s in Stripe’s unit', (currency, minor, counted) => {
    expect(toStripeAmount(minor, currency)).toBe(counted);
  });

  test('an amount that Stripe can charge is read back unchanged, in every currency', () => {
    const currency = fc.constantFrom('EUR', 'USD', 'JPY', 'KWD', 'ISK', 'UGX');
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 12n }), currency, (minor, code) => {
        const counted = toStripeAmount(minor, code);
        if (counted !== undefined) expect(fromStripeAmount(counted, code)).toBe(minor);
        else expect(minor % 100n).not.toBe(0n);
      }),
    );
  });

  test.each([
    [25.5, 'EUR'],
    [25_001, 'KWD'],
  ])('%s %s is refused', (amount, currency) => {
    expect(() => fromStripeAmount(amount, currency)).toThrow(RangeError);
  });
});
