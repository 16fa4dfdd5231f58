import { parseDecimal } from '@opencashier/core/money/money';
import { expect, test } from 'vitest';
import { toStripeAmount } from './stripe-amount.ts';
import { stripeLimits } from './stripe-limits.ts';

test.each([
  ['USD', 99_999_999],
  ['JPY', 99_999_999],
  ['XOF', 99_999_999],
  ['ISK', 99_999_900],
  ['KWD', 99_999_990],
  ['INR', 999_999_999],
  ['IDR', 999_999_999_999],
])('the greatest charge in %s is %d in the unit that Stripe counts', (currency, units) => {
  expect(inStripeUnits(stripeLimits(currency).max, currency)).toBe(units);
});

test.each([
  ['USD', 50],
  ['GBP', 30],
  ['JPY', 50],
  ['KRW', 50],
  ['HUF', 17_500],
  ['MXN', 1_000],
])('the least charge in %s is %d in the unit that Stripe counts', (currency, units) => {
  expect(inStripeUnits(stripeLimits(currency).min ?? '0', currency)).toBe(units);
});

test('a currency without a published minimum has none', () => {
  expect(stripeLimits('KWD')).toEqual({ max: '99999.99' });
});

function inStripeUnits(amount: string, currency: string): number | undefined {
  const parsed = parseDecimal(amount, 2);
  return parsed.ok ? toStripeAmount(parsed.minor, currency) : undefined;
}
