import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromCompanyUnits, fromDecimalText, toCompanyUnits, toDecimalText } from './money-units.ts';

describe('[SRV-4] amounts in the units of a company', () => {
  test.each([
    ['EUR', 2_550n, 2, 2_550n],
    ['JPY', 2_500n, 0, 25n],
    ['JPY', 2_550n, 0, undefined],
    ['KWD', 2_550n, 3, 25_500n],
    ['BTC', 1n, 8, 1n],
    ['BTC', 1n, 6, undefined],
  ])('%s: %d minor units with %i decimals are %s', (currency, minor, decimals, units) => {
    expect(toCompanyUnits(minor, currency, decimals)).toBe(units);
    if (units !== undefined) expect(fromCompanyUnits(units, currency, decimals)).toBe(minor);
  });

  test('no amount is rounded: what has a form in the units comes back exactly', () => {
    const codes = fc.constantFrom('EUR', 'JPY', 'KWD', 'BTC');
    fc.assert(
      fc.property(codes, fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.nat(12), (currency, minor, decimals) => {
        const units = toCompanyUnits(minor, currency, decimals);
        if (units !== undefined) expect(fromCompanyUnits(units, currency, decimals)).toBe(minor);
        const text = toDecimalText(minor, currency);
        expect(fromDecimalText(text ?? '', currency)).toBe(minor);
      }),
    );
  });

  test('an amount that cannot be counted throws', () => {
    expect(() => fromCompanyUnits(0.5, 'EUR', 2)).toThrow(RangeError);
    expect(() => fromCompanyUnits(1n, 'KWD', 3)).toThrow(RangeError);
    expect(() => fromDecimalText('25.505', 'EUR')).toThrow(RangeError);
    for (const text of ['', '25,5', '1e3', ' 1', '.5']) expect(() => fromDecimalText(text, 'EUR')).toThrow(RangeError);
    expect(() => toCompanyUnits(1n, 'XXX', 2)).toThrow(RangeError);
    expect(toDecimalText(5n, 'EUR')).toBe('0.05');
    expect(fromDecimalText('25.500', 'EUR')).toBe(2_550n);
  });
});
