import { expect, test } from 'vitest';
import { codeChannelIn, readCodeRules } from './code-policy.ts';

const asked = { paymentMethod: 'card_withdrawal', currency: 'USD', amountMinor: 10_000n };

test('[WD-2] the first matching rule decides how the code is sent, from an amount on', () => {
  const bad: number[] = [];
  const rules = readCodeRules(
    {
      withdrawalCodes: [
        { channel: 'sms', currency: 'USD', from: '100' },
        { channel: 'pigeon' },
        { channel: 'app', from: '5' },
        { channel: 'email', paymentMethod: 'btc_withdrawal' },
      ],
    },
    (index) => bad.push(index),
  );
  expect(bad).toEqual([1, 2]);
  expect(codeChannelIn(rules, asked)).toBe('sms');
  expect(codeChannelIn(rules, { ...asked, amountMinor: 9_999n })).toBeUndefined();
  expect(codeChannelIn(rules, { ...asked, currency: 'EUR' })).toBeUndefined();
  expect(codeChannelIn(rules, { ...asked, currency: 'EUR', paymentMethod: 'btc_withdrawal' })).toBe('email');
  expect(readCodeRules({ withdrawalCodes: 'all' }, () => undefined)).toEqual([]);
  expect(readCodeRules(null, () => undefined)).toEqual([]);
});
