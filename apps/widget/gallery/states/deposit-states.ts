/** States of flows that ask for an amount or a choice, and of flows with calls of their own. */
import { report as coinReport, cryptoServices, tether } from '../../src/flows/crypto-address/crypto-address-fixture.ts';
import { depositId as onrampId, onrampServices } from '../../src/flows/onramp/onramp-fixture.ts';
import {
  catalogueWith,
  p2pAnswer,
  depositId as p2pId,
  p2pMethod,
  report as p2pReport,
  p2pServices,
  withBanks,
} from '../../src/flows/peer-to-peer/peer-to-peer-fixture.ts';
import { card, redirectServices } from '../../src/flows/redirect/redirect-fixture.ts';
import { guideServices } from '../../src/flows/video/video-fixture.ts';
import { bonusFixture, bonusServices, spinsFixture } from '../../src/kit/bonus/bonus-fixture.ts';
import { cardMethod, indiaCatalogue } from '../../src/kit/method/catalogue-fixture.ts';
import { connectionLost, refusal } from '../../src/kit/payment/payment-fixture.ts';
import { type StatePage, statesOf, type WidgetState } from '../state.ts';

const amount = 'input[inputmode=decimal]';
const submit = 'button[type=submit]';
const never = () => new Promise(() => undefined);
const typed = (text: string) => (page: StatePage) => page.type(amount, text);
const pay = (text: string) => async (page: StatePage) => {
  await page.type(amount, text);
  await page.pass(500);
  await page.press(submit);
  await page.pass(0);
};

const form = '/deposit/redirect/bank_card';
const invoice = `/deposit/peer-to-peer/p2p_imps/invoice?depositId=${p2pId}`;
const created = { 'deposit-create-p2p': p2pAnswer() };
/** An invoice whose time is over. */
const lateInvoice = (answers: Parameters<typeof p2pServices>[0]) => {
  const services = p2pServices(answers);
  services.clock.skew(901_000);
  return services;
};
const seen = (confirmations: number) => ({
  'deposit-status': coinReport({
    txid: `8f3a1${'b'.repeat(54)}c09de`,
    blockchain: 'Tron',
    confirmations,
    requiredConfirmations: 20,
    receivedAmount: '850.00',
  }),
});
const tether1 = '/deposit/crypto/usdt';
const offers = `/deposit/onramp/onramp_card/offer-list?depositId=${onrampId}`;
const bonuses = () => [bonusFixture('1'), spinsFixture('2')];

export const depositStates: readonly WidgetState[] = [
  ...statesOf<WidgetState>('flows/redirect', {
    ready: { at: form, services: () => redirectServices() },
    loading: { at: form, services: () => redirectServices({ 'deposit-limits': never }) },
    typed: { at: form, services: () => redirectServices(), after: typed('1500') },
    'below-the-least': { at: form, services: () => redirectServices(), after: typed('12') },
    'above-the-most': { at: form, services: () => redirectServices(), after: typed('999999') },
    'with-fields': { at: form, services: () => redirectServices({}, cardMethod) },
    'fields-missing': { at: form, services: () => redirectServices({}, cardMethod), after: pay('1500') },
    creating: { at: form, services: () => redirectServices({ 'deposit-create': never }), after: pay('1500') },
    refused: {
      at: form,
      services: () => redirectServices({ 'deposit-create': refusal('method-unavailable', 400) }),
      after: pay('1500'),
    },
    'being-checked': {
      at: form,
      services: () => redirectServices({ 'deposit-create': connectionLost, 'deposit-status': connectionLost }),
      after: async (page) => {
        await pay('1500')(page);
        await page.pass(10_000);
      },
    },
    bonus: { at: form, services: () => bonusServices(bonuses()) },
    'bonus-chosen': { at: `${form}?bonus=1`, services: () => bonusServices(bonuses()), after: typed('2000') },
    'no-window': { at: form, services: () => redirectServices({}, card({ flags: { noNewWindow: true } })) },
    'in-a-group': { at: '/deposit/group/instant/redirect/bank_card', services: () => redirectServices() },
  }),
  ...statesOf<WidgetState>('flows/peer-to-peer', {
    banks: { at: '/deposit/peer-to-peer/p2p_imps', services: () => p2pServices({}, withBanks) },
    amount: { at: '/deposit/peer-to-peer/p2p_imps/base?bank=icici', services: () => p2pServices({}, withBanks) },
    ready: { at: invoice, services: () => p2pServices(created) },
    loading: { isWaiting: true, at: invoice, services: () => p2pServices({ 'deposit-create-p2p': never }) },
    'unified-form': { at: invoice.replace('/invoice', '/unified-form'), services: () => p2pServices(created) },
    instruction: { at: invoice.replace('/invoice', '/instruction'), services: () => p2pServices(created) },
    'invalid-answer': { at: invoice, services: () => p2pServices({ 'deposit-create-p2p': p2pAnswer({ card: {} }) }) },
    cancelled: {
      at: invoice,
      services: () => p2pServices({ ...created, 'deposit-status': p2pReport(5, { remoteStatus: 'CANCELED' }) }),
    },
    expired: { at: invoice, services: () => lateInvoice(created) },
    'being-checked': {
      at: invoice,
      services: () => lateInvoice({ ...created, 'deposit-cancel': connectionLost }),
      after: (page) => page.pass(5000),
    },
    'no-connection': {
      at: invoice,
      services: () => p2pServices({ 'deposit-create-p2p': connectionLost, 'deposit-status': connectionLost }),
    },
    unknown: { at: invoice, services: () => p2pServices({ ...created, 'deposit-status': refusal('not-found', 404) }) },
    'form-with-id': {
      at: invoice,
      services: () =>
        p2pServices({
          ...created,
          'methods-payment-v5': catalogueWith(p2pMethod({ flags: { p2p: true, guaranteed: true } })),
        }),
    },
  }),
  ...statesOf<WidgetState>('flows/crypto-address', {
    coins: { at: '/deposit/crypto', services: () => cryptoServices() },
    ready: { at: tether1, services: () => cryptoServices() },
    loading: { isWaiting: true, at: tether1, services: () => cryptoServices({ 'deposit-create': never }) },
    'no-address': { at: `${tether1}?network=bep20`, services: () => cryptoServices() },
    failed: {
      at: tether1,
      services: () =>
        cryptoServices({
          'deposit-create': refusal('method-unavailable', 400),
          'deposit-status': refusal('not-found', 404),
        }),
    },
    memo: {
      at: tether1,
      services: () =>
        cryptoServices({
          'methods-payment-v5': {
            ...indiaCatalogue,
            methods: [{ ...tether, fields: [], network: 'ton', flags: { linkSchemes: ['ton'] } }],
          },
          'deposit-create': ({ depositId }: { depositId: string }) => ({
            apiResponse: {
              depositId,
              data: {
                depositAddress: 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA',
                depositMemo: '7K3QF0MZ2XWA',
                qrCodeText: 'ton://transfer/UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA?text=7K3QF0MZ2XWA',
                cryptoName: 'USDT',
                network: 'ton',
              },
            },
          }),
        }),
    },
    confirming: { at: tether1, services: () => cryptoServices(seen(7)), after: (page) => page.pass(2000) },
    confirmed: { at: tether1, services: () => cryptoServices(seen(20)), after: (page) => page.pass(2000) },
  }),
  ...statesOf<WidgetState>('flows/onramp', {
    amount: { at: '/deposit/onramp/onramp_card', services: () => onrampServices() },
    'not-bought-now': {
      at: '/deposit/onramp/onramp_card',
      services: () => onrampServices({ 'deposit-limits': refusal('method-unavailable', 400) }),
    },
    offers: { at: offers, services: () => onrampServices() },
    loading: { isWaiting: true, at: offers, services: () => onrampServices({ 'deposit-create': never }) },
    'no-connection': {
      at: offers,
      services: () => onrampServices({ 'deposit-create': connectionLost, 'deposit-status': connectionLost }),
    },
    unknown: { at: offers, services: () => onrampServices({ 'deposit-status': refusal('not-found', 404) }) },
    continued: {
      at: offers,
      services: () => onrampServices({ 'external-deposit-continue': { redirect: 'https://seller.example/pay' } }),
      after: (page) => page.press('main button'),
    },
    'not-continued': {
      at: offers,
      services: () => onrampServices({ 'external-deposit-continue': refusal('internal', 500) }),
      after: (page) => page.press('main button'),
    },
  }),
  ...statesOf<WidgetState>('flows/video', {
    link: {
      at: '/deposit/video-instruction?method=bank_card',
      services: () => guideServices('https://other.example/guide'),
    },
    none: {
      at: '/deposit/video-instruction?method=no_such_method',
      services: () => guideServices('https://other.example/guide'),
    },
  }),
  ...statesOf<WidgetState>('flows/instruction', {
    ready: {
      at: '/deposit/redirect/bank_card/instruction',
      services: () => guideServices('https://other.example/guide'),
    },
  }),
];
