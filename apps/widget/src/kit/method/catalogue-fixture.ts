/** A catalogue for tests and the gallery, with every kind of tile that the list can show. */
import type { MethodList, PaymentMethod } from '@opencashier/contract/api';

function method(name: string, title: string, more: Partial<PaymentMethod> = {}): PaymentMethod {
  return {
    name,
    category: 'fiat',
    cardViewType: 0,
    text: { en: title },
    position: 1,
    iconIds: ['card'],
    amount_rules: { INR: { min: '500', max: '100000' } },
    fields: [],
    flags: {},
    ...more,
  };
}

export const cardMethod = method('bank_card', 'Bank card', {
  text: { en: 'Bank card', ar: 'بطاقة بنكية' },
  description: { en: 'Arrives in about a minute, no fee', ar: 'تصل خلال دقيقة تقريبا، دون رسوم' },
  cardViewType: 1,
  iconIds: ['visa', 'mastercard'],
  prefilledAmount: '1500',
  video_guide_url: 'https://video.example/card',
  fields: [
    {
      name: 'phone',
      type: 'phone_with_prefix',
      countries: [{ name: 'India', code: 'IN', prefix: '+91', example: '98765 43210' }],
      props: {
        label: 'Phone',
        validations: [{ regex: '^\\d{10}$', message: 'Enter all 10 digits of your number' }],
      },
    },
  ],
});

export const indiaCatalogue: MethodList = {
  country: 'IN',
  currency: 'INR',
  balance: { currency: 'INR', amount: '1250.00' },
  groups: [
    {
      name: 'instant',
      label: { en: 'Instant', ar: 'فوري' },
      paymentMethods: ['upi', 'bank_card', 'phonepe', 'netbanking'],
      position: 1,
      display: 'list',
    },
    {
      name: 'crypto',
      label: { en: 'Crypto', ar: 'العملات الرقمية' },
      paymentMethods: ['btc', 'eth', 'usdt'],
      position: 2,
      display: 'tile',
    },
    {
      name: 'cash_methods',
      label: { en: 'Cash', ar: 'نقدا' },
      paymentMethods: ['cash_point'],
      position: 3,
      display: 'tile',
    },
  ],
  methods: [
    method('upi', 'UPI apps', {
      text: { en: 'UPI apps', ar: 'تطبيقات UPI' },
      iconIds: ['upi'],
      isPopular: true,
      amount_rules: { INR: { min: '300', max: '50000' } },
    }),
    cardMethod,
    method('phonepe', 'PhonePe', {
      iconIds: ['upi', 'qr'],
      badgeType: 8,
      amount_rules: { INR: { min: '300', max: '50000' } },
    }),
    method('netbanking', 'Net banking', {
      text: { en: 'Net banking', ar: 'الخدمات المصرفية عبر الإنترنت' },
      iconIds: ['bank'],
      disabledReason: 'list.disabled',
    }),
    method('btc', 'Bitcoin', { category: 'crypto', iconIds: ['btc'], amount_rules: {} }),
    method('eth', 'Ethereum', { category: 'crypto', iconIds: ['eth'], amount_rules: {} }),
    method('usdt', 'Tether', { category: 'crypto', iconIds: ['usdt'], amount_rules: {} }),
    method('cash_point', 'Cash point', { iconIds: ['cash'] }),
  ],
};

/** One UPI tile with three methods: two by an app, with their own limits, and one by a code. */
export const sharedTileCatalogue: MethodList = {
  ...indiaCatalogue,
  tiles: [{ name: 'upi', text: { en: 'UPI' }, iconIds: ['upi'] }],
  groups: [
    {
      name: 'instant',
      label: { en: 'Instant', ar: 'فوري' },
      paymentMethods: ['upi', 'bank_card', 'phonepe', 'upi_code'],
      position: 1,
      display: 'list',
    },
  ],
  methods: [
    method('upi', 'UPI apps', {
      ...{ tile: 'upi', way: 'app', cardViewType: 3, iconIds: ['upi'], isPopular: true },
      amount_rules: { INR: { min: '300', max: '50000' } },
    }),
    cardMethod,
    method('phonepe', 'PhonePe', {
      ...{ tile: 'upi', way: 'app', cardViewType: 3, iconIds: ['phonepe'] },
      amount_rules: { INR: { min: '500', max: '80000' } },
    }),
    method('upi_code', 'UPI by QR code', {
      ...{ tile: 'upi', way: 'code', iconIds: ['upi', 'qr'] },
      amount_rules: { INR: { min: '200', max: '25000' } },
    }),
  ],
};

export const regionsFixture = {
  countries: [
    { code: 'BR', name: 'Brazil', currencies: ['BRL', 'USD'] },
    { code: 'IN', name: 'India', currencies: ['INR', 'USD'] },
    { code: 'DE', name: 'Germany', currencies: ['EUR'] },
    { code: 'MX', name: 'Mexico', currencies: ['MXN', 'USD'] },
  ],
};

/** So many countries that the list has a search box. */
export const manyRegionsFixture = {
  countries: [
    ...regionsFixture.countries,
    ...Object.entries({ AZ: 'Azerbaijan', BD: 'Bangladesh', KZ: 'Kazakhstan', KG: 'Kyrgyzstan', NG: 'Nigeria' }).map(
      ([code, name]) => ({ code, name, currencies: ['USD'] }),
    ),
    { code: 'TR', name: 'Türkiye', currencies: ['TRY', 'USD'] },
    { code: 'UZ', name: 'Uzbekistan', currencies: ['UZS'] },
  ],
};
