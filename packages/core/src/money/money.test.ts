import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CurrencyMismatchError, compare, multiply, percent } from './arithmetic.ts';
import { decimalFromNumber, parseDecimal, roundDecimal, toDecimalString } from './money.ts';

const usd = (minor: bigint) => ({ currency: 'USD', minor });

test('[AMT-2] a decimal string becomes minor units exactly, where a float would not', () => {
  expect(parseDecimal('25.00', 2)).toEqual({ ok: true, minor: 2500n });
  expect(parseDecimal('25', 2)).toEqual({ ok: true, minor: 2500n });
  expect(parseDecimal('0.1', 2)).toEqual({ ok: true, minor: 10n });
  expect(parseDecimal('90071992547409.93', 2)).toEqual({ ok: true, minor: 9007199254740993n });
  expect(parseDecimal('0.00000001', 8)).toEqual({ ok: true, minor: 1n });
});

test.each([
  ['', 'empty'],
  [' 1', 'malformed'],
  ['1 000', 'malformed'],
  ['1,5', 'malformed'],
  ['+1', 'malformed'],
  ['1e3', 'malformed'],
  ['0x10', 'malformed'],
  ['01', 'malformed'],
  ['.5', 'malformed'],
  ['5.', 'malformed'],
  ['٥', 'malformed'],
  ['NaN', 'malformed'],
  ['Infinity', 'malformed'],
  ['1.2.3', 'malformed'],
  ['-1.00', 'negative'],
  ['1.234', 'too-many-decimals'],
  ['1.000', 'too-many-decimals'],
  ['1'.repeat(41), 'too-long'],
])('[AMT-2] %j is refused as %s, never repaired', (text, error) => {
  expect(parseDecimal(text, 2)).toEqual({ ok: false, error });
});

test('a minus is accepted only with the option', () => {
  expect(parseDecimal('-1.50', 2, { signed: true })).toEqual({ ok: true, minor: -150n });
});

test('[AMT-2] writing and reading minor units returns the same value, for any number of decimals', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
      fc.integer({ min: 0, max: 8 }),
      (minor, decimals) => {
        expect(parseDecimal(toDecimalString(minor, decimals), decimals, { signed: true })).toEqual({ ok: true, minor });
      },
    ),
  );
});

test('decimal strings have all their decimals', () => {
  expect(toDecimalString(5n, 2)).toBe('0.05');
  expect(toDecimalString(-5n, 2)).toBe('-0.05');
  expect(toDecimalString(0n, 8)).toBe('0.00000000');
  expect(toDecimalString(12n, 0)).toBe('12');
});

test.each([
  ['1.005', 'down', 100n],
  ['1.005', 'up', 101n],
  ['1.005', 'half-up', 101n],
  ['1.005', 'half-even', 100n],
  ['1.015', 'half-even', 102n],
  ['1.0049', 'half-up', 100n],
  ['-1.005', 'down', -100n],
  ['-1.005', 'up', -101n],
  ['-1.005', 'half-up', -101n],
  ['010.5', 'down', 1050n],
] as const)('[AMT-3] %s rounded %s', (text, rounding, minor) => {
  expect(roundDecimal(text, 2, rounding)).toEqual({ ok: true, minor });
});

test('rounding changes a value by less than one minor unit, and to the nearest by at most a half', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 20n }),
      fc.constantFrom('down', 'up', 'half-up', 'half-even' as const),
      (tenThousandths, rounding) => {
        const result = roundDecimal(toDecimalString(tenThousandths, 4), 2, rounding);
        if (!result.ok) throw new Error(result.error);
        const difference = result.minor * 100n - tenThousandths;
        const size = difference < 0n ? -difference : difference;
        expect(size <= (rounding.startsWith('half') ? 50n : 99n)).toBe(true);
        if (rounding === 'down') expect(difference <= 0n).toBe(true);
        if (rounding === 'up') expect(difference >= 0n).toBe(true);
      },
    ),
  );
});

test('JSON numbers become decimal strings without an exponent', () => {
  expect(decimalFromNumber(1e-8)).toBe('0.00000001');
  expect(decimalFromNumber(1.5e-7)).toBe('0.00000015');
  expect(decimalFromNumber(1e21)).toBe('1000000000000000000000');
  expect(decimalFromNumber(1.25e21)).toBe('1250000000000000000000');
  expect(decimalFromNumber(-1e-7)).toBe('-0.0000001');
  expect(decimalFromNumber(10.5)).toBe('10.5');
  expect(decimalFromNumber(-0)).toBe('0');
  expect(decimalFromNumber(Number.NaN)).toBeUndefined();
  expect(decimalFromNumber(Number.POSITIVE_INFINITY)).toBeUndefined();
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = decimalFromNumber(value);
      expect(text).toMatch(/^-?\d+(\.\d+)?$/);
      expect(Number(text)).toBe(value === 0 ? 0 : value);
    }),
  );
});

test('amounts of one currency can be compared', () => {
  expect([compare(usd(1n), usd(2n)), compare(usd(2n), usd(2n)), compare(usd(3n), usd(2n))]).toEqual([-1, 0, 1]);
});

test('comparing two currencies throws', () => {
  expect(() => compare(usd(1n), { currency: 'EUR', minor: 1n })).toThrow(CurrencyMismatchError);
});

test('a percentage and a factor are exact and rounded once', () => {
  expect(percent(usd(999n), '2.5', 'half-up')).toEqual(usd(25n));
  expect(percent(usd(999n), '2.5', 'down')).toEqual(usd(24n));
  expect(percent(usd(10_000n), '100', 'down')).toEqual(usd(10_000n));
  expect(multiply(usd(333n), '1.5', 'down')).toEqual(usd(499n));
  expect(() => percent(usd(1n), '1e2', 'down')).toThrow(RangeError);
});

test('the parts of a percentage split never exceed the whole', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.integer({ min: 0, max: 100 }), (minor, share) => {
      const one = percent(usd(minor), String(share), 'down').minor;
      const rest = percent(usd(minor), String(100 - share), 'down').minor;
      expect(minor - (one + rest) === 0n || minor - (one + rest) === 1n).toBe(true);
    }),
  );
});
