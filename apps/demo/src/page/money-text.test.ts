import { expect, test } from 'vitest';
import { moneyText } from './money-text.ts';

test.each([
  ['25.00', 'USD', '$25.00'],
  ['0', 'INR', '₹0.00'],
  ['1234567.5', 'EUR', '€1,234,567.50'],
  ['0.00012', 'BTC', '0.00012 BTC'],
  ['12.5', 'USDT', '12.50 USDT'],
  ['9007199254740993.01', 'USD', '$9,007,199,254,740,993.01'],
])('%s %s is written %s', (amount, currency, text) => {
  expect(moneyText(amount, currency)).toBe(text);
});
