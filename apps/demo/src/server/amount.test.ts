import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAmount, parseAmount } from './amount.ts';

test.each([
  ['25.00', '25.00'],
  ['0.1', '0.10'],
  ['100000000000000000000000000000', '100000000000000000000000000000.00'],
  ['0.000000000000000001', '0.000000000000000001'],
])('%s is kept as %s', (text, shown) => {
  expect(formatAmount(parseAmount(text) ?? 0n)).toBe(shown);
});

test.each(['', '0', '0.00', '-1', '+1', '1e3', '1,000', '1.', '.5', ' 1', 'NaN', '1.0000000000000000001', 1, null, {}])(
  '%j is no amount to credit',
  (value) => {
    expect(parseAmount(value)).toBeUndefined();
  },
);

test('sums are exact whatever the order and the number of decimals', () => {
  const amount = fc.tuple(
    fc.bigInt({ min: 0n, max: 10n ** 20n }),
    fc.integer({ min: 1, max: 18 }),
    fc.bigInt({ min: 1n, max: 9n }),
  );
  fc.assert(
    fc.property(fc.array(amount), (list) => {
      const texts = list.map(([whole, decimals, last]) => `${whole}.${String(last).padStart(decimals, '0')}`);
      const sum = texts.reduce((units, text) => units + (parseAmount(text) ?? 0n), 0n);
      const wanted = list.reduce(
        (units, [whole, decimals, last]) => units + whole * 10n ** 18n + last * 10n ** BigInt(18 - decimals),
        0n,
      );
      expect(sum).toBe(wanted);
      if (sum > 0n) expect(parseAmount(formatAmount(sum))).toBe(sum);
    }),
  );
});
