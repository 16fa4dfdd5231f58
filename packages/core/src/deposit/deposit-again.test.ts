import type { PaymentMethod } from '@opencashier/contract/api';
import { expect, test } from 'vitest';
import { depositAgain } from './deposit-again.ts';

const method = (name: string, more: Partial<PaymentMethod> = {}): PaymentMethod => ({
  name,
  category: 'fiat',
  cardViewType: 0,
  text: { en: name },
  position: 1,
  iconIds: [name],
  amount_rules: { INR: { min: '300', max: '50000' } },
  fields: [],
  flags: {},
  ...more,
});
const methods = [method('upi'), method('card'), method('off', { disabledReason: 'list.disabled' })];
const again = (lastDeposit: Parameters<typeof depositAgain>[0]['lastDeposit']) => {
  const found = depositAgain({ methods, currency: 'INR', ...(lastDeposit && { lastDeposit }) }, 'IN');
  return found && [found.method.name, found.amount];
};
const inr = { paymentMethod: 'upi', currency: 'INR' } as const;

test('[LIST-6] the last credited deposit is offered again with its amount', () => {
  expect(again({ ...inr, amount: '500.00' })).toEqual(['upi', '500.00']);
});

test.each([
  ['below the minimum', { ...inr, amount: '299.99' }],
  ['above the maximum', { ...inr, amount: '50000.01' }],
  ['of another currency', { ...inr, currency: 'USD', amount: '500.00' }],
  ['that the payer decided', inr],
  ['that is none', { ...inr, amount: '-1' }],
])('[LIST-6] [AMT-3] an amount %s is left out', (_what, lastDeposit) => {
  expect(again(lastDeposit)).toEqual(['upi', undefined]);
});

test('[LIST-6] nothing is offered to a new user, or for a method that is missing or unusable', () => {
  for (const paymentMethod of ['gone', 'off'])
    expect(again({ ...inr, paymentMethod, amount: '500.00' })).toBeUndefined();
  expect(again(undefined)).toBeUndefined();
});
