/** Methods to withdraw in Nigeria: one of this flow, one with only the common form, and one in a group. */
import type { MethodList, PaymentMethod } from '@opencashier/contract/api';
import { createFixtureServices, createSession } from '../../kit/session/services-fixture.ts';

const plain: Pick<PaymentMethod, 'cardViewType' | 'position' | 'amount_rules' | 'fields' | 'flags'> = {
  cardViewType: 0,
  position: 1,
  amount_rules: { NGN: { min: '2000', max: '5000000' } },
  fields: [],
  flags: {},
};

export const banks = [
  { text: 'Access Bank', value: '044' },
  { text: 'First Bank of Nigeria', value: '011' },
  { text: 'Guaranty Trust Bank (GTBank)', value: '058' },
  { text: 'OPay', value: '100004' },
  { text: 'United Bank for Africa (UBA)', value: '033' },
  { text: 'Wema Bank', value: '035' },
  { text: 'Zenith Bank', value: '057' },
] as const;

const nigerianBanks: PaymentMethod = {
  ...plain,
  name: 'nigerian_banks',
  category: 'nigerian_banks',
  text: { en: 'Nigerian banks' },
  iconIds: ['bank'],
  fees: { NGN: { fixed: '50' } },
  fields: [
    {
      name: 'bank',
      type: 'dropdown',
      category: 'bank',
      regex: '^.+$',
      values: [...banks],
      props: { label: 'Bank' },
    },
    {
      name: 'accountNumber',
      type: 'text',
      category: 'nuban',
      mask: '##########',
      regex: '^\\d{10}$',
      regex_error_key: 'paymentMethods.regex_error.accountNumber',
      props: { label: 'Account number' },
    },
  ],
};

const card: PaymentMethod = {
  ...plain,
  name: 'card_withdrawal',
  category: 'fiat',
  text: { en: 'Bank card' },
  iconIds: ['card'],
  video_guide_url: 'https://vimeo.com/76979871',
};
const bitcoin: PaymentMethod = {
  ...plain,
  name: 'btc_withdrawal',
  category: 'crypto',
  text: { en: 'Bitcoin' },
  iconIds: ['btc'],
  network: 'bitcoin',
};

export const nigeria: MethodList = {
  country: 'NG',
  currency: 'NGN',
  balance: { currency: 'NGN', amount: '90000.00' },
  groups: [
    {
      name: 'bank_transfer_nigeria',
      label: { en: 'Bank transfer' },
      paymentMethods: ['nigerian_banks', 'card_withdrawal'],
      position: 1,
      display: 'list',
    },
    { name: 'crypto', label: { en: 'Crypto' }, paymentMethods: ['btc_withdrawal'], position: 2, display: 'tile' },
  ],
  methods: [nigerianBanks, card, bitcoin],
};

export const nigeriaServices = (answers: object = {}) =>
  createFixtureServices(
    { 'methods-withdrawal': nigeria, ...answers },
    { session: createSession({ country: 'NG', currency: 'NGN' }) },
  );
