/** A user with balances in fiat money and coins, and a list of methods for each. */
import type { Balance, balancesGet, MethodList, ResponseOf } from '@opencashier/contract/api';
import { indiaCatalogue } from '../../kit/method/catalogue-fixture.ts';
import { createFixtureServices, createSession, createTexts } from '../../kit/session/services-fixture.ts';

type Balances = ResponseOf<typeof balancesGet>;

export const rateAt = '2026-01-01T00:00:00.000Z';
export const value = (amount: string, more: object = {}) => ({
  amount,
  currency: 'USD',
  rateAt,
  isStale: false,
  freshForSeconds: 300,
  ...more,
});
export const usd: Balance = { currency: 'USD', kind: 'fiat', balance: '12.50' };
export const inr: Balance = { currency: 'INR', kind: 'fiat', balance: '0.00', fiatValue: value('0.00') };
export const usdt: Balance = { currency: 'USDT', kind: 'crypto', balance: '61.00000007', fiatValue: value('61.00') };
export const btc: Balance = { currency: 'BTC', kind: 'crypto', balance: '0.00000000', fiatValue: value('0.00') };
export const balances = (...more: Balance[]): Balances => ({
  currency: 'USD',
  balances: [usd, inr, usdt, btc, ...more],
});
export const withUsdt = (fiatValue: Balance['fiatValue']): Balances => {
  const { fiatValue: _old, ...bare } = usdt;
  return { currency: 'USD', balances: [usd, fiatValue === undefined ? bare : { ...bare, fiatValue }] };
};

/** The fixture's list in any currency. In a coin it has only coins. */
export function listIn(currency: string): MethodList {
  const rules = { [currency]: { min: '1', max: '1000' } };
  const all = indiaCatalogue.methods.map((method) => ({ ...method, amount_rules: rules }));
  const isCoin = ['USDT', 'BTC'].includes(currency);
  const methods = isCoin ? all.filter(({ category }) => category === 'crypto') : all;
  const names = new Set(methods.map(({ name }) => name));
  const groups = indiaCatalogue.groups.filter(({ paymentMethods }) => paymentMethods.some((name) => names.has(name)));
  return { ...indiaCatalogue, currency, methods, groups, balance: { currency, amount: '1' } };
}
export const lists = (request: unknown) => listIn((request as { currency: string }).currency);

export const balanceServices = (answers: object = {}, direction: 'ltr' | 'rtl' = 'ltr') =>
  createFixtureServices(
    { 'methods-payment-v5': lists, 'methods-withdrawal': lists, 'balances-get': balances(), ...answers },
    {
      session: createSession({ currency: 'USD' }, { widgetViewType: 'cryptobalance', currency: 'USD' }),
      texts: createTexts({ direction, formatLocale: 'en-US' }),
    },
  );
