import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convert, crossRate } from './conversion.ts';

const usd = (minor: bigint) => ({ currency: 'USD', minor });

test.each([
  ['0.00012345', 12_345n, '62500', 'down', 771n],
  ['0.00012345', 12_345n, '62500', 'up', 772n],
  ['a satoshi', 1n, '62500', 'down', 0n],
  ['a satoshi', 1n, '62500', 'up', 1n],
  ['a bitcoin', 100_000_000n, '62500', 'down', 6_250_000n],
] as const)('[AMT-2] %s in dollars, rounded once in the given direction', (_, minor, rate, rounding, cents) => {
  expect(convert({ currency: 'BTC', minor }, 'USD', rate, rounding)).toEqual(usd(cents));
});

test('[AMT-2] a conversion is exact where a float would lose the last unit', () => {
  const whole = { currency: 'USDT', minor: 9_007_199_254_740_993_000_001n };
  expect(convert(whole, 'USDT', '1', 'down')).toEqual(whole);
  expect(convert(usd(1n), 'BTC', '0.000016', 'down')).toEqual({ currency: 'BTC', minor: 16n });
});

test.each(['0', '-1', '', '1e3', '1,5', 'NaN'])('%j is not a rate', (rate) => {
  expect(() => convert(usd(1n), 'EUR', rate, 'down')).toThrow(RangeError);
  expect(() => crossRate(rate, '1')).toThrow(RangeError);
  expect(() => crossRate('1', rate)).toThrow(RangeError);
});

test('an unknown currency is refused, never guessed', () => {
  expect(() => convert(usd(1n), 'XXQ', '1', 'down')).toThrow(RangeError);
  expect(() => convert({ currency: 'XXQ', minor: 1n }, 'USD', '1', 'down')).toThrow(RangeError);
});

test('a cross rate has no exponent and no trailing zeros', () => {
  expect(crossRate('0.000016', '1')).toBe('62500');
  expect(crossRate('1', '0.000016')).toBe('0.000016');
  expect(crossRate('3', '1')).toBe('0.333333333333333333333333');
  expect(crossRate('100000000000000', '0.000000000000000001')).toBeUndefined();
});

const rates = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 14n }), fc.integer({ min: 0, max: 12 }))
  .map(([digits, scale]) => {
    const text = digits.toString().padStart(scale + 1, '0');
    return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
  });
const amounts = fc.bigInt({ min: 0n, max: 10n ** 18n });
const codes = fc.constantFrom('USD', 'EUR', 'JPY', 'BTC', 'USDT', 'DOGE');

test('[AMT-2] converting there and back never gains money, at any rates', () => {
  fc.assert(
    fc.property(amounts, codes, codes, rates, rates, (minor, here, there, hereRate, thereRate) => {
      const out = crossRate(hereRate, thereRate);
      const back = crossRate(thereRate, hereRate);
      fc.pre(out !== undefined && back !== undefined && out.length <= 40 && back.length <= 40);
      const before = { currency: here, minor };
      const after = convert(convert(before, there, out ?? '', 'down'), here, back ?? '', 'down');
      expect(after.minor).toBeLessThanOrEqual(minor);
    }),
  );
});

test('[AMT-2] converting in parts never gives more than at once, and rounding costs less than one minor unit', () => {
  fc.assert(
    fc.property(amounts, amounts, codes, codes, rates, (one, other, here, there, rate) => {
      const of = (minor: bigint, rounding: 'down' | 'up') =>
        convert({ currency: here, minor }, there, rate, rounding).minor;
      expect(of(one, 'down') + of(other, 'down')).toBeLessThanOrEqual(of(one + other, 'down'));
      expect(of(one, 'up') - of(one, 'down')).toBeLessThanOrEqual(1n);
    }),
  );
});
