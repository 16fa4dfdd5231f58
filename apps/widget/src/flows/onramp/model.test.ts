import { expect, test } from 'vitest';
import { compareOffers, termsOf } from './model.ts';

const offer = (method: string, amount: string, fee = '1.00') => ({ method, amount, fee, iconIds: [] });

test('[DEP-14] the best offer comes first, each with its difference, by exact decimals', () => {
  const compared = compareOffers([
    offer('card', '9.70'),
    offer('bank', '10.000000000000000001'),
    offer('wallet', '10'),
  ]);
  expect(compared.map((one) => [one.offer.method, one.isBest, one.less])).toEqual([
    ['bank', true, undefined],
    ['wallet', false, '0.000000000000000001'],
    ['card', false, '0.300000000000000001'],
  ]);
});

test('[DEP-14] of two equal offers the one with the smaller fee comes first, without a difference', () => {
  const compared = compareOffers([offer('card', '10', '2'), offer('bank', '10.00', '1')]);
  expect(compared.map((one) => [one.offer.method, one.less])).toEqual([
    ['bank', undefined],
    ['card', undefined],
  ]);
});

test('offers that cannot be read or give nothing are left out', () => {
  expect(compareOffers([offer('card', '0'), offer('bank', 'many'), offer('wallet', '1', '-1')])).toEqual([]);
  expect(compareOffers(undefined)).toEqual([]);
});

test('the terms are those of the answer, else the user’s own currency', () => {
  expect(termsOf({ passedAmount: '100', passedCurrency: 'EUR', processingCurrency: 'USDT' }, 'INR')).toEqual({
    coin: 'USDT',
    currency: 'EUR',
    paid: '100',
  });
  expect(termsOf({ processingCurrency: '<b>' }, 'INR')).toEqual({ coin: undefined, currency: 'INR', paid: undefined });
});
