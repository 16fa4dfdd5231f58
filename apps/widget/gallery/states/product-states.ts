/** States that only one product has: balances in coins, and coin boxes. */

import { addressServer, report as coinReport } from '../../src/flows/crypto-address/crypto-address-fixture.ts';
import { regionsFixture } from '../../src/kit/method/catalogue-fixture.ts';
import { connectionLost } from '../../src/kit/payment/payment-fixture.ts';
import type { Answers } from '../../src/kit/session/services-fixture.ts';
import { boxesOf, coins, goldBox, smallBox, soldOutBox, sweepServices } from '../../src/kit/sweepstake/box-fixture.ts';
import { withdrawalReport } from '../../src/kit/withdrawal/withdrawal-fixture.ts';
import { balanceServices, listIn, value, withUsdt } from '../../src/screens/balance-list/balance-list-fixture.ts';
import {
  path as receipt,
  report as receiptReport,
  receiptServices,
} from '../../src/screens/coin-receipt/coin-receipt-fixture.ts';
import {
  quoted,
  report as redemptionReport,
  redemptionServices,
  withdrawalId,
} from '../../src/screens/redemption/redemption-fixture.ts';
import { type StatePage, statesOf, type WidgetState } from '../state.ts';

const never = () => new Promise(() => undefined);
const shop = (answers: Answers = {}) =>
  sweepServices({ 'sweepstake-balance-get': coins, 'methods-country-selector-v2': regionsFixture, ...answers });
const chosen = { 'cashier.box': goldBox.boxId };
const bought = (...word: Parameters<typeof receiptReport>) => ({
  at: receipt,
  services: () => receiptServices(receiptReport(...word)),
  tab: chosen,
});
const redeem = '/withdrawal/crypto/usdt_trc20_out';
const ask = async (page: StatePage) => {
  await page.type('input[inputmode=decimal]', '25');
  await page.pass(1000);
};
const nothing = (request: unknown) => ({
  ...listIn((request as { currency: string }).currency),
  methods: [],
  groups: [],
});

export const productStates: readonly WidgetState[] = [
  ...statesOf<WidgetState>('screens/balance-list', {
    fiat: { at: '/cryptobalance/deposit/fiat', services: balanceServices },
    crypto: { at: '/cryptobalance/deposit/crypto', services: balanceServices },
    loading: {
      isWaiting: true,
      at: '/cryptobalance/deposit/crypto',
      services: () => balanceServices({ 'balances-get': never }),
    },
    'old-rate': {
      at: '/cryptobalance/deposit/crypto',
      services: () =>
        balanceServices({
          'balances-get': withUsdt(
            value('61.00', { isStale: true, freshForSeconds: 0, rateAt: '2025-12-31T10:15:00Z' }),
          ),
        }),
    },
    'no-rate': {
      at: '/cryptobalance/deposit/crypto',
      services: () => balanceServices({ 'balances-get': withUsdt(undefined) }),
    },
    'no-connection': {
      at: '/cryptobalance/deposit/crypto',
      services: () => balanceServices({ 'balances-get': connectionLost }),
      after: (page) => page.pass(5000),
    },
    'nothing-offered': {
      at: '/cryptobalance/deposit/fiat',
      services: () => balanceServices({ 'methods-payment-v5': nothing }),
    },
    withdrawal: { at: '/cryptobalance/withdrawal', services: balanceServices },
    currencies: {
      at: '/cryptobalance/deposit/crypto',
      services: balanceServices,
      after: async (page) => {
        await page.press('main button[aria-haspopup=dialog]');
        await page.see('dialog');
      },
    },
    'region-over-crypto': {
      at: '/cryptobalance/deposit/crypto/region',
      services: () => balanceServices({ 'methods-country-selector-v2': regionsFixture }),
    },
    'region-over-fiat': {
      at: '/cryptobalance/deposit/fiat/region',
      services: () => balanceServices({ 'methods-country-selector-v2': regionsFixture }),
    },
    address: {
      at: '/cryptobalance/deposit/crypto/usdt',
      services: () =>
        balanceServices({
          'deposit-limits': { currency: 'USDT', min: '0', max: '0' },
          'deposit-create': addressServer(),
          'deposit-status': coinReport(),
        }),
    },
    complete: {
      at: '/cryptobalance/deposit/complete?depositId=5f0c2f4e-7b0e-4a53-9a3e-2f1d6c0b9a11&method=usdt',
      services: () => balanceServices({ 'deposit-status': coinReport({ status: 3 }) }),
    },
    'video-guide': { at: '/cryptobalance/deposit/video-instruction?method=bank_card', services: balanceServices },
  }),
  ...statesOf<WidgetState>('screens/coin-boxes', {
    ready: { at: '/deposit', services: shop },
    loading: { isWaiting: true, at: '/deposit', services: () => shop({ 'sweepstake-boxes': never }) },
    'few-left': {
      at: '/deposit',
      services: () => shop({ 'sweepstake-boxes': boxesOf(soldOutBox, { ...goldBox, remaining: 3 }) }),
    },
    grouped: {
      at: '/deposit',
      services: () =>
        shop({ 'sweepstake-boxes': { boxes: [{ name: 'Welcome', boxes: [goldBox] }, { boxes: [smallBox] }] } }),
    },

    none: { at: '/empty', services: shop },
    region: { at: '/empty/region', services: shop },
    error: { at: '/error', services: shop },
    form: { at: '/form', services: shop },
  }),
  ...statesOf<WidgetState>('screens/select-method', {
    ready: { at: '/deposit/select-method', services: shop, tab: chosen },
    loading: {
      isWaiting: true,
      at: '/deposit/select-method',
      services: () => shop({ 'methods-payment-v5': never }),
      tab: chosen,
    },
    group: { at: '/deposit/group/cards', services: shop, tab: chosen },
  }),
  ...statesOf<WidgetState>('screens/box-order', {
    ready: { at: '/deposit/redirect/card_visa', services: shop, tab: chosen },
    'no-box': { at: '/deposit/redirect/card_visa', services: shop },
    'sold-out': {
      at: '/deposit/redirect/card_visa',
      services: () => shop({ 'sweepstake-boxes': boxesOf({ ...goldBox, remaining: 0 }) }),
      tab: chosen,
    },
    coins: { at: '/deposit/crypto', services: shop, tab: chosen },
  }),
  ...statesOf<WidgetState>('screens/coin-receipt', {
    success: bought(1, { finalAmount: '19.99' }),
    processing: bought(3),
    failed: bought(2),
    'being-checked': bought(0, { isOutcomeUnknown: true }),
  }),
  ...statesOf<WidgetState>('screens/redemption', {
    ready: { at: '/withdrawal', services: redemptionServices },
    loading: {
      isWaiting: true,
      at: '/withdrawal',
      services: () => redemptionServices({ 'sweepstake-recoup-sum': never }),
    },
    'no-connection': {
      at: '/withdrawal',
      services: () => redemptionServices({ 'sweepstake-recoup-sum': connectionLost }),
      after: (page) => page.pass(5000),
    },
    unfinished: {
      at: '/withdrawal',
      services: () => {
        const services = redemptionServices();
        const { created, expires } = withdrawalReport(services);
        services.answer('withdrawal-check', { withdrawal: { ...redemptionReport, created, expires } });
        return services;
      },
    },
    coins: { at: '/withdrawal/crypto', services: redemptionServices },
    form: { at: redeem, services: redemptionServices },
    quoted: { at: redeem, services: () => redemptionServices({ 'payment-convert-v2': quoted }), after: ask },
    'no-rate': { at: redeem, services: () => redemptionServices({ 'payment-convert-v2': connectionLost }), after: ask },
    confirm: {
      at: `/withdrawal/confirm?withdrawalId=${withdrawalId}`,
      services: () => redemptionServices({ 'withdrawal-status': redemptionReport }),
    },
    complete: {
      at: `/withdrawal/complete?withdrawalId=${withdrawalId}`,
      services: () => redemptionServices({ 'withdrawal-status': { ...redemptionReport, status: 1, canCancel: false } }),
    },
  }),
];
