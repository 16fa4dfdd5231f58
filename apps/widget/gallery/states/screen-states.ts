/** States of screens that the products share, before and after a deposit. */
import { bonusFixture, bonusServices, spinsFixture } from '../../src/kit/bonus/bonus-fixture.ts';
import {
  indiaCatalogue,
  manyRegionsFixture,
  regionsFixture,
  sharedTileCatalogue,
} from '../../src/kit/method/catalogue-fixture.ts';
import { connectionLost, paymentId, paymentReport, refusal } from '../../src/kit/payment/payment-fixture.ts';
import { reportedPaid } from '../../src/kit/payment/reported-paid.ts';
import { type Answers, createFixtureServices, createSession } from '../../src/kit/session/services-fixture.ts';
import { path as complete, completeServices, report } from '../../src/screens/complete/complete-fixture.ts';
import { statesOf, type WidgetState } from '../state.ts';

const never = () => new Promise(() => undefined);
const list = (answers: Answers = {}, meta: object = {}) =>
  createFixtureServices(
    {
      'methods-payment-v5': indiaCatalogue,
      'methods-country-selector-v2': regionsFixture,
      ...answers,
    },
    { session: createSession({}, { schema: { meta, assets: {} } }) },
  );
const ending = (...word: Parameters<typeof report>) => ({
  at: complete,
  services: () => completeServices(report(...word)),
});
const reason = (why: string, receivedAmount: string) =>
  ending(3, { reason: `transaction.reason.${why}`, receivedAmount });

export const screenStates: readonly WidgetState[] = [
  ...statesOf<WidgetState>('screens/method-list', {
    ready: { at: '/deposit', services: list },
    loading: { isWaiting: true, at: '/deposit', services: () => list({ 'methods-payment-v5': never }) },
    bonuses: { at: '/deposit', services: () => bonusServices([bonusFixture('1'), spinsFixture('2')]) },
    again: {
      at: '/deposit',
      services: () =>
        list({
          'methods-payment-v5': {
            ...indiaCatalogue,
            lastDeposit: { paymentMethod: 'bank_card', currency: 'INR', amount: '1500.00' },
          },
        }),
    },
    'shared-tile': { at: '/deposit', services: () => list({ 'methods-payment-v5': sharedTileCatalogue }) },
    unfinished: {
      at: '/deposit',
      services: () => {
        const services = list();
        services.answer('deposit-status', paymentReport(services, { lifetime: 900 }));
        return services;
      },
      device: { 'cashier.last-method': 'bank_card' },
      tab: {
        'cashier.deposit-intent': JSON.stringify({
          depositId: paymentId,
          method: 'bank_card',
          userId: 'user-1',
          path: `/deposit/redirect/bank_card/unified-form?depositId=${paymentId}`,
        }),
      },
    },
  }),
  ...statesOf<WidgetState>('screens/group', {
    ready: { at: '/deposit/group/instant', services: list },
  }),
  ...statesOf<WidgetState>('screens/region', {
    countries: { at: '/deposit/region', services: list },
    many: { at: '/deposit/region', services: () => list({ 'methods-country-selector-v2': manyRegionsFixture }) },
    'nothing-found': {
      at: '/deposit/region',
      services: () => list({ 'methods-country-selector-v2': manyRegionsFixture }),
      after: (page) => page.type('dialog input', 'zz'),
    },
    loading: { isWaiting: true, at: '/deposit/region', services: () => list({ 'methods-country-selector-v2': never }) },
    failed: {
      at: '/deposit/region',
      services: () => list({ 'methods-country-selector-v2': refusal('internal', 500) }),
    },
    'over-empty': { at: '/empty/region', services: list },
  }),
  ...statesOf<WidgetState>('screens/bonus-details', {
    deposit: { at: '/deposit/bonus-details?bonus=1', services: () => bonusServices([bonusFixture('1')]) },
    spins: { at: '/deposit/bonus-details?bonus=2', services: () => bonusServices([spinsFixture('2')]) },
    unknown: { at: '/deposit/bonus-details?bonus=9', services: () => bonusServices([bonusFixture('1')]) },
  }),
  ...statesOf<WidgetState>('screens/complete', {
    waiting: ending(0),
    'reported-paid': { ...ending(0), handed: reportedPaid },
    processing: ending(3),
    success: ending(1, { finalAmount: '1500.00' }),
    failed: ending(2),
    declined: ending(2, { reason: 'transaction.reason.declined' }),
    'being-checked': ending(0, { isOutcomeUnknown: true }),
    late: ending(3, { isLate: true, reason: 'transaction.reason.late', receivedAmount: '1500.00' }),
    underpaid: reason('underpaid', '1499.99'),
    overpaid: reason('overpaid', '1600.00'),
    'paid-debt': ending(1, { finalAmount: '1500.00', paidDebt: '400.00' }),
    'second-payment': ending(1, { finalAmount: '1500.00', reason: 'transaction.reason.second-payment' }),
    unknown: { at: complete, services: () => completeServices(refusal('not-found', 404)) },
    loading: { at: complete, services: () => completeServices(never) },
    'no-connection': {
      at: complete,
      services: () => completeServices(connectionLost),
      after: (page) => page.pass(5000),
    },
  }),
  ...statesOf<WidgetState>('screens/empty', {
    hint: { at: '/empty', services: list },
    'words-of-the-operator': {
      at: '/empty',
      services: () => list({}, { emptyPageHint: 'Write to us: we will find a way.' }),
    },
    'not-offered': { at: '/empty', services: list, handed: { direction: 'withdrawal', isOffered: false } },
  }),
  ...statesOf<WidgetState>('screens/error', {
    message: {
      at: '/error',
      services: list,
      handed: { errorMessage: 'Connection lost', stacktrace: 'Error: lost\n    at line.ts:1' },
    },
    'without-words': { at: '/error', services: list },
  }),
  ...statesOf<WidgetState>('screens/form', { 'no-form': { at: '/form', services: list } }),
];
