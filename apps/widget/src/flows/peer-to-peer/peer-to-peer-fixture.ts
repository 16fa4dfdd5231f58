/** Peer-to-peer methods and answers for the tests of this flow. */
import type { PaymentMethod, Transaction } from '@opencashier/contract/api';
import { cardMethod, indiaCatalogue } from '../../kit/method/catalogue-fixture.ts';
import { type Answers, createFixtureServices, type FixtureServices } from '../../kit/session/services-fixture.ts';

const { fields: _fields, prefilledAmount: _prefilled, video_guide_url: _guide, ...plain } = cardMethod;

export const p2pMethod = (more: Partial<PaymentMethod> = {}): PaymentMethod => ({
  ...plain,
  name: 'p2p_imps',
  text: { en: 'IMPS transfer' },
  cardViewType: 5,
  iconIds: ['bank'],
  fields: [],
  flags: { p2p: true },
  ...more,
});

export const catalogueWith = (method: PaymentMethod) => ({
  ...indiaCatalogue,
  methods: [method, ...indiaCatalogue.methods.slice(1)],
});

export const depositId = '5f0c2f4e-7b0e-4a53-9a3e-2f1d6c0b9a11';

/** The time of the fixture's clock, at which the payment begins. */
export const started = Date.UTC(2026, 0, 1);

export const p2pAnswer = (more: object = {}) => ({
  depositId,
  card: {
    number: '4276380012345678',
    bank_name: 'State Bank of India',
    fullName: 'Anita R.',
  },
  created: new Date(started).toISOString(),
  timeout_minutes: 15,
  payment_amount: '1503.20',
  payment_currency: 'INR',
  instruction: { steps: [{ stepNumber: 1, stepInstruction: 'Open the app of your bank.' }] },
  ...more,
});

/** A report of the server, `second` seconds after the start. */
export const report = (second: number, more: Partial<Transaction> = {}): Transaction => ({
  depositId,
  paymentMethod: 'p2p_imps',
  status: 0,
  amount: '1500.00',
  currency: 'INR',
  created: new Date(started).toISOString(),
  serverTime: new Date(started + second * 1000).toISOString(),
  ...more,
});

const banks = ['sbi', 'hdfc', 'icici', 'axis', 'kotak', 'yes'].map((value) => ({ value, text: value.toUpperCase() }));
export const withBanks = p2pMethod({ fields: [{ name: 'bank', type: 'dropdown', values: banks }] });

/** A server whose report about the payment has the time of its clock. */
export function p2pServices(answers: Answers = {}, method: PaymentMethod = p2pMethod()): FixtureServices {
  const services: FixtureServices = createFixtureServices({
    'methods-payment-v5': catalogueWith(method),
    'deposit-limits': { currency: 'INR', min: '0', max: '0' },
    'session-start': { paymentSessionId: 'session-1' },
    'deposit-status': () => report(services.clock.now() / 1000 - Date.UTC(2026, 0, 1) / 1000),
    'deposit-cancel': { depositId, isCancelled: true },
    ...answers,
  });
  return services;
}
