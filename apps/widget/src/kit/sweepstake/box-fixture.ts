/** Coin boxes, and methods to buy them, as the server answers them in a test. */
import type { MethodList, PaymentMethod, ResponseOf, SweepstakeBox, sweepstakeBoxes } from '@opencashier/contract/api';
import { type Answers, createFixtureServices, createSession, createTexts } from '../session/services-fixture.ts';

export const goldBox: SweepstakeBox = {
  boxId: 'gold-20',
  price: '19.99',
  priceCurrencyCode: 'USD',
  currenciesList: [
    { currency: 'GC', main: '200000', free: '5000' },
    { currency: 'SC', main: '0', free: '20.50' },
  ],
  badge: 'popular',
};

export const smallBox: SweepstakeBox = {
  boxId: 'gold-5',
  price: '4.99',
  priceCurrencyCode: 'USD',
  currenciesList: [{ currency: 'GC', main: '50000', free: '0' }],
};

export const soldOutBox: SweepstakeBox = { ...smallBox, boxId: 'rare', price: '1.99', remaining: 0 };

export const boxesOf = (...boxes: SweepstakeBox[]): ResponseOf<typeof sweepstakeBoxes> => ({ boxes: [{ boxes }] });

const way = (name: string, title: string, more: Partial<PaymentMethod> = {}): PaymentMethod => ({
  name,
  category: 'fiat',
  cardViewType: 1,
  text: { en: title },
  position: 1,
  iconIds: ['card'],
  amount_rules: { USD: { min: '1', max: '1000' } },
  fields: [],
  flags: {},
  ...more,
});

export const waysToBuy: MethodList = {
  country: 'US',
  currency: 'USD',
  groups: [
    { name: 'cards', label: { en: 'Cards' }, paymentMethods: ['card_visa'], position: 1, display: 'list' },
    { name: 'crypto', label: { en: 'Crypto' }, paymentMethods: ['usdt_trc20'], position: 2, display: 'tile' },
  ],
  methods: [
    way('card_visa', 'Bank card'),
    way('usdt_trc20', 'Tether', { category: 'crypto', cardViewType: 0, iconIds: ['usdt'], network: 'trc20' }),
  ],
};

/** Ways to redeem sweep coins. */
export const waysToRedeem: MethodList = {
  country: 'US',
  currency: 'SC',
  balance: { currency: 'SC', amount: '80.00' },
  groups: [
    { name: 'crypto', label: { en: 'Coins' }, paymentMethods: ['usdt_trc20_out'], position: 1, display: 'list' },
  ],
  methods: [
    way('usdt_trc20_out', 'Tether TRC-20', {
      category: 'crypto',
      cardViewType: 0,
      iconIds: ['usdt'],
      network: 'trc20',
      payoutCurrency: 'USDT',
      amount_rules: { SC: { min: '10', max: '1000' } },
      fees: { SC: { fixed: '1' } },
      fields: [
        {
          name: 'wallet',
          type: 'text',
          props: { label: 'Wallet', validations: [{ regex: '^.+$', message: 'Fill in', isExists: true }] },
        },
      ],
    }),
  ],
};

/** A user of the sweepstake whose own currency differs from the currency of the boxes. */
export const sweepServices = (answers: Answers) =>
  createFixtureServices(
    { 'methods-payment-v5': waysToBuy, 'sweepstake-boxes': boxesOf(goldBox, smallBox, soldOutBox), ...answers },
    {
      session: createSession({ country: 'US', currency: 'EUR' }, { widgetViewType: 'sweep' }),
      texts: createTexts({ formatLocale: 'en-US' }),
    },
  );

export const coins = [
  { currency: 'GC', balance: '5000.00' },
  { currency: 'SC', balance: '80.5' },
];
