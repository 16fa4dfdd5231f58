/** A method to buy coins, its offers, and a server that knows one such deposit. */
import type { PaymentMethod } from '@opencashier/contract/api';
import { indiaCatalogue } from '../../kit/method/catalogue-fixture.ts';
import { type Answers, createFixtureServices } from '../../kit/session/services-fixture.ts';

export const method: PaymentMethod = {
  name: 'onramp_card',
  category: 'onramp',
  cardViewType: 13,
  text: { en: 'Buy crypto' },
  position: 1,
  iconIds: ['card', 'usdt'],
  amount_rules: { INR: { min: '2000', max: '200000' } },
  fields: [],
  flags: {},
};

export const depositId = '6f9619ff-8b86-4011-b42d-00c04fc964ff';

export const data = {
  paymentMethodOffers: [
    { method: 'card', amount: '115.32', fee: '390.00', iconIds: ['card'] },
    { method: 'bank', amount: '118.56', fee: '120.00', iconIds: ['bank'] },
    { method: 'Shop <b>', amount: '116.52', fee: '0', iconIds: [] },
  ],
  passedAmount: '10000.00',
  passedCurrency: 'INR',
  processingCurrency: 'USDT',
};

export const created = (request: { depositId: string }) => ({ apiResponse: { depositId: request.depositId, data } });

export const status = {
  depositId,
  paymentMethod: 'onramp_card',
  status: 0,
  amount: '10000.00',
  currency: 'INR',
  created: '2026-01-01T00:00:00Z',
  serverTime: '2026-01-01T00:00:00Z',
};

export const onrampServices = (answers: Answers = {}) =>
  createFixtureServices({
    'methods-payment-v5': { ...indiaCatalogue, methods: [...indiaCatalogue.methods, method] },
    'deposit-limits': { currency: 'INR', min: '0', max: '0' },
    'session-start': { paymentSessionId: 'session-1' },
    'deposit-create': created,
    'deposit-status': status,
    ...answers,
  });
