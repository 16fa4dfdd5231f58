import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromCheckoutAmount, toCheckoutAmount } from './checkout-amount.ts';

describe('[SRV-4] amounts at Checkout.com', () => {
  test('its own examples, and the Chilean peso in hundredths', () => {
    expect(toCheckoutAmount(10_000n, 'JPY')).toBe(100);
    expect(toCheckoutAmount(10_000n, 'BHD')).toBe(100_000);
    expect(toCheckoutAmount(10_000n, 'USD')).toBe(10_000);
    expect(toCheckoutAmount(10_000n, 'CLP')).toBe(10_000);
    expect(fromCheckoutAmount(100, 'JPY')).toBe(10_000n);
    expect(fromCheckoutAmount(100_000, 'BHD')).toBe(10_000n);
    expect(fromCheckoutAmount(10_000, 'CLP')).toBe(10_000n);
  });

  test('an amount that cannot be expressed is no amount: parts of whole currencies, nine digits, nothing, coins', () => {
    for (const [minor, currency] of [
      [10_050n, 'JPY'],
      [10_050n, 'CLP'],
      [100_000_000_000n, 'EUR'],
      [0n, 'EUR'],
      [100n, 'USDT'],
      [100n, 'XXX'],
    ] as const) {
      expect(toCheckoutAmount(minor, currency), `${minor} ${currency}`).toBeUndefined();
    }
    expect(() => fromCheckoutAmount(1_001, 'BHD')).toThrow(RangeError);
    expect(() => fromCheckoutAmount(1.5, 'EUR')).toThrow(RangeError);
  });

  test('no amount changes on its way there and back', () => {
    const currencies = fc.constantFrom('EUR', 'JPY', 'BHD', 'CLP', 'ISK', 'KWD', 'VND');
    fc.assert(
      fc.property(fc.bigInt(1n, 99_999_999_999n), currencies, (minor, currency) => {
        const units = toCheckoutAmount(minor, currency);
        if (units !== undefined) expect(fromCheckoutAmount(units, currency)).toBe(minor);
      }),
    );
  });
});
