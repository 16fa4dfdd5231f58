/** A server that knows one withdrawal, for the tests of its screens. */
import type { MethodList, PaymentMethod, ResponseOf, withdrawalStatus } from '@opencashier/contract/api';
import { ClientError } from '../../api/client.ts';
import { indiaCatalogue } from '../method/catalogue-fixture.ts';
import { type Answers, createFixtureServices, type FixtureServices } from '../session/services-fixture.ts';

export const withdrawalId = '01890a5d-ac96-774b-bcce-b302099a8057';
type Report = ResponseOf<typeof withdrawalStatus>;

export const bankCard: PaymentMethod = {
  name: 'card_withdrawal',
  category: 'fiat',
  cardViewType: 1,
  text: { en: 'Bank card' },
  description: { en: 'Usually within 15 minutes' },
  position: 1,
  iconIds: ['card'],
  amount_rules: { INR: { min: '500', max: '100000' } },
  fees: { INR: { fixed: '3.33', percent: '1.5' } },
  fields: [{ name: 'cardNumber', type: 'text', props: { label: 'Card number' } }],
  checkLuhn: true,
  flags: {},
};

export const tether: PaymentMethod = {
  ...bankCard,
  name: 'usdt_withdrawal',
  category: 'crypto',
  text: { en: 'Tether' },
  network: 'trc20',
  fees: {},
  fields: [{ name: 'wallet', type: 'text', props: { label: 'Wallet address' } }],
};

/** A transfer whose payee is checked by the bank. */
const transfer: PaymentMethod = {
  ...bankCard,
  name: 'transfer_withdrawal',
  text: { en: 'Bank transfer' },
  iconIds: ['bank'],
  fees: {},
  fields: [
    { name: 'fullName', type: 'text', props: { label: 'Full name' } },
    { name: 'iban', type: 'text', props: { label: 'IBAN' } },
  ],
  checkLuhn: false,
};

/** The answer of a server whose bank knows the account of Ann Close under a nearly equal name. */
export const nearlyEqualName = () =>
  Promise.reject(
    new ClientError({
      kind: 'refused',
      code: 'payee-close-match',
      status: 422,
      message: 'The bank knows this account under a nearly equal name',
      params: { name: 'Ann Closer' },
      fields: [{ path: 'fields.fullName', message: 'The bank knows this account under a nearly equal name' }],
    }),
  );

export const withdrawalCatalogue: MethodList = {
  ...indiaCatalogue,
  balance: { currency: 'INR', amount: '12345.67' },
  groups: [],
  methods: [bankCard, tether],
};

export const transferCatalogue: MethodList = { ...withdrawalCatalogue, methods: [transfer] };

/** An amount on hold for a quarter of an hour since the start of the test clock. */
export function withdrawalReport(services: Pick<FixtureServices, 'clock'>, more: Partial<Report> = {}): Report {
  const now = services.clock.now();
  return {
    withdrawalId,
    paymentMethod: 'card_withdrawal',
    status: 0,
    accountType: 'main',
    amount: '1000.00',
    currency: 'INR',
    fee: '18.33',
    receives: '981.67',
    created: new Date(now).toISOString(),
    expires: new Date(now + 900_000).toISOString(),
    serverTime: new Date(now).toISOString(),
    canCancel: (more.status ?? 0) === 0,
    destination: [{ name: 'cardNumber', value: more.status ? '•••• 4242' : '4242424242424242' }],
    ...more,
  };
}

export function withdrawalServices(answers: Answers = {}, list: MethodList = withdrawalCatalogue): FixtureServices {
  const services = createFixtureServices({ 'methods-withdrawal': list });
  services.answer('withdrawal-status', withdrawalReport(services));
  for (const [name, answer] of Object.entries(answers)) services.answer(name, answer);
  return services;
}
