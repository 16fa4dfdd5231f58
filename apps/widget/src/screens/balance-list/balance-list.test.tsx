// @vitest-environment jsdom
import type { MethodList } from '@opencashier/contract/api';
import { act, cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { type OpenedWidget, openWidget } from '../../app/shell/shell-fixture.tsx';
import { balanceServices, balances, listIn, lists, usd, usdt, value, withUsdt } from './balance-list-fixture.ts';

const user = userEvent.setup();

const open = async (path = '/cryptobalance', answers: object = {}, direction: 'ltr' | 'rtl' = 'ltr') => {
  // Loaded beforehand, so that loading takes no time.
  await import('../../kit/balance/balance-card.tsx');
  const services = balanceServices(answers, direction);
  const widget = await openWidget(path, services);
  await settle(widget);
  return widget;
};
const settle = async ({ pass }: OpenedWidget) => {
  for (let turn = 0; turn < 6; turn += 1) await pass(0);
};
const tab = (name: string) => screen.getByRole('tab', { name });
const panel = () => within(screen.getByRole('tabpanel'));

beforeEach(() => {
  window.scrollTo = () => undefined;
  sessionStorage.clear();
  localStorage.clear();
});

describe('[CRY-3] the list beside a balance', () => {
  test('[NAV-2] starts with the host’s currency, and shows its balance once', async () => {
    const { address, services } = await open();
    expect(address()).toBe('/cryptobalance/deposit/fiat');
    expect(tab('Fiat')).toHaveAttribute('aria-selected', 'true');
    expect(panel().getByText('$12.50')).toBeVisible();
    expect(screen.getAllByText('Balance')).toHaveLength(1);
    expect(panel().getByRole('button', { name: 'Bank card' })).toBeVisible();
    expect(services.requestsOf('balances-get')).toEqual([{ country: 'IN', currency: 'USD' }]);
  });

  test('has tabs that arrow keys change with the focus kept, and shows USDT first', async () => {
    const widget = await open();
    tab('Fiat').focus();
    await user.keyboard('{ArrowRight}');
    await settle(widget);
    expect(widget.address()).toBe('/cryptobalance/deposit/crypto');
    expect(tab('Crypto')).toHaveFocus();
    expect(tab('Crypto')).toHaveAttribute('aria-selected', 'true');
    expect(tab('Fiat')).toHaveAttribute('tabindex', '-1');
    expect(screen.getByRole('tabpanel', { name: 'Crypto' })).toBeVisible();
    expect(panel().getByText('61.00000007 USDT')).toBeVisible();
    expect(panel().getByText(/about .*\$61\.00/)).toBeVisible();
    expect(widget.services.requestsOf('methods-payment-v5').at(-1)).toMatchObject({ currency: 'USDT' });
    expect(panel().queryByRole('button', { name: 'Bank card' })).toBeNull();
    expect(panel().getByRole('button', { name: 'Bitcoin' })).toBeVisible();
    await user.keyboard('{ArrowRight}');
    await settle(widget);
    expect(tab('Fiat')).toHaveFocus();
    expect(widget.address()).toBe('/cryptobalance/deposit/fiat');
    expect(panel().getByText('$12.50')).toBeVisible();
  });

  test('[UI-2] in right-to-left the left arrow moves forward, and Home and End reach the ends', async () => {
    const widget = await open('/cryptobalance', {}, 'rtl');
    tab('Fiat').focus();
    await user.keyboard('{ArrowLeft}');
    await settle(widget);
    expect(tab('Crypto')).toHaveFocus();
    await user.keyboard('{Home}');
    await settle(widget);
    expect(tab('Fiat')).toHaveAttribute('aria-selected', 'true');
    await user.keyboard('{End}');
    await settle(widget);
    expect(tab('Crypto')).toHaveAttribute('aria-selected', 'true');
  });

  test('lets a currency be chosen by a search over code and name, the host’s first, with each balance', async () => {
    const widget = await open();
    await user.click(panel().getByRole('button', { name: 'Currency: USD' }));
    await settle(widget);
    const sheet = within(await screen.findByRole('dialog', { name: 'Choose a currency' }));
    expect(sheet.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      'USD · US Dollar$12.50',
      'INR · Indian Rupee₹0.00',
    ]);
    await user.keyboard('rupee{Enter}');
    await settle(widget);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(panel().getByRole('button', { name: 'Currency: INR' })).toBeVisible();
    expect(widget.services.requestsOf('methods-payment-v5').at(-1)).toMatchObject({ currency: 'INR' });
    expect(widget.services.requestsOf('balances-get').at(-1)).toEqual({ country: 'IN', currency: 'INR' });
  });

  test('[NAV-7] keeps both choices over a reload and shows each with its tab', async () => {
    const widget = await open('/cryptobalance/deposit/crypto');
    await user.click(panel().getByRole('button', { name: 'Currency: USDT' }));
    await settle(widget);
    await user.keyboard('bitcoin{Enter}');
    await settle(widget);
    expect(panel().getByText('0.00 BTC')).toBeVisible();
    cleanup();
    // What boot keeps of the region is its own affair: here only the tab's memory is left.
    const again = await open('/cryptobalance/deposit/crypto');
    await settle(again);
    expect(panel().getByRole('button', { name: 'Currency: BTC' })).toBeVisible();
    expect(JSON.stringify({ ...sessionStorage })).toBe('{"cashier.crypto":"USD BTC"}');
  });
});

test('[CRY-3] a choice under another currency of the host is forgotten', async () => {
  sessionStorage.setItem('cashier.fiat', 'EUR INR');
  sessionStorage.setItem('cashier.crypto', 'USD BTC');
  const widget = await open('/cryptobalance/deposit/crypto');
  expect(panel().getByRole('button', { name: 'Currency: BTC' })).toBeVisible();
  await user.click(tab('Fiat'));
  await settle(widget);
  expect(panel().getByRole('button', { name: 'Currency: USD' })).toBeVisible();
});

describe('[CRY-3] rates', () => {
  const openCrypto = async (answer: unknown) => {
    const widget = await open('/cryptobalance/deposit/crypto', { 'balances-get': answer });
    await settle(widget);
    return widget;
  };
  const old = /Rate as of .*, may be out of date/;

  test('that are old say so in words with their time', async () => {
    await openCrypto(withUsdt(value('61.00', { isStale: true, freshForSeconds: 0, rateAt: '2025-12-31T10:15:00Z' })));
    expect(panel().getByText(/about .*\$61\.00/)).toBeVisible();
    expect(panel().getByText(old)).toHaveAttribute('role', 'status');
    expect(panel().getByText(old)).toHaveTextContent('December 31');
  });

  test('that become old are marked and fetched again', async () => {
    const widget = await openCrypto(withUsdt(value('61.00', { freshForSeconds: 30 })));
    expect(screen.queryByText(old)).toBeNull();
    const asked = widget.services.requestsOf('balances-get').length;
    // The server stops answering.
    widget.services.answer('balances-get', () => new Promise(() => undefined));
    await widget.pass(29_000);
    expect(screen.queryByText(old)).toBeNull();
    await widget.pass(1_000);
    expect(panel().getByText(old)).toBeVisible();
    expect(widget.services.requestsOf('balances-get')).toHaveLength(asked + 1);
  });

  test('unknown rates are shown as unknown, and the balance stays', async () => {
    await openCrypto(withUsdt(undefined));
    expect(panel().getByText('61.00000007 USDT')).toBeVisible();
    expect(panel().getByText('No exchange rate right now')).toBeVisible();
  });

  test('are asked for again every minute, and a payment’s push asks for the balance at once', async () => {
    const widget = await openCrypto(balances());
    const asked = () => widget.services.requestsOf('balances-get').length;
    const before = asked();
    await widget.pass(60_000);
    expect(asked()).toBe(before + 1);
    widget.services.answer('balances-get', { currency: 'USD', balances: [usd, { ...usdt, balance: '99.00000001' }] });
    widget.services.push('deposit.status', {} as never);
    await settle(widget);
    expect(panel().getByText('99.00000001 USDT')).toBeVisible();
  });

  test('without a connection the last balance stays and shows its time', async () => {
    const widget = await openCrypto(balances());
    widget.services.answer('balances-get', () =>
      Promise.reject(
        new ClientError({ kind: 'network', status: 0, code: 'socket.networkError', message: 'No network' }),
      ),
    );
    await widget.pass(60_000);
    await settle(widget);
    expect(panel().getByText('61.00000007 USDT')).toBeVisible();
    expect(panel().getByText(/^No connection\. Balance as of/)).toBeVisible();
  });

  test('a balance that failed to load can be fetched again; the methods are there', async () => {
    const widget = await openCrypto(() => Promise.reject(new Error('down')));
    expect(panel().getByRole('alert')).toHaveTextContent('We could not load your balance.');
    expect(panel().getByRole('button', { name: 'Bitcoin' })).toBeVisible();
    widget.services.answer('balances-get', balances());
    await user.click(panel().getByRole('button', { name: 'Try again' }));
    await settle(widget);
    expect(panel().getByText('61.00000007 USDT')).toBeVisible();
  });
});

describe('[CRY-4] nothing is offered in a currency', () => {
  const none = (request: unknown): MethodList => {
    const { currency } = request as { currency: string };
    return currency === 'USD' ? { ...listIn(currency), methods: [], groups: [] } : listIn(currency);
  };

  test('the screen names the currency, and offers crypto or another currency', async () => {
    const widget = await open('/cryptobalance', { 'methods-payment-v5': none });
    await settle(widget);
    expect(widget.address()).toBe('/cryptobalance/deposit/fiat');
    expect(panel().getByText('Deposit in USD is currently unavailable')).toBeVisible();
    expect(panel().getByText('Use crypto or choose another currency')).toBeVisible();
    await user.click(panel().getByRole('button', { name: 'Use crypto' }));
    await settle(widget);
    expect(widget.address()).toBe('/cryptobalance/deposit/crypto');
    expect(panel().getByRole('button', { name: 'Bitcoin' })).toBeVisible();
  });

  test('the same with only coins, which would not be credited as this currency', async () => {
    const coins = (request: unknown): MethodList => {
      const list = lists(request);
      return { ...list, methods: list.methods.filter(({ category }) => category === 'crypto') };
    };
    await open('/cryptobalance', { 'methods-payment-v5': coins });
    expect(panel().getByText('Deposit in USD is currently unavailable')).toBeVisible();
  });

  test('the same for withdrawals, where crypto is not offered for fiat', async () => {
    const widget = await open('/cryptobalance/withdrawal', { 'methods-withdrawal': none });
    await settle(widget);
    expect(panel().getByText('Withdrawal in USD is currently unavailable')).toBeVisible();
    await user.click(panel().getByRole('button', { name: 'Choose another currency' }));
    await settle(widget);
    expect(await screen.findByRole('dialog', { name: 'Choose a currency' })).toBeVisible();
  });
});

describe('screens below the list', () => {
  test('[CRY-3] a list that loads late is not shown for the previous currency', async () => {
    const waiting = new Map<string, (list: MethodList) => void>();
    const widget = await open('/cryptobalance', {
      'methods-payment-v5': (request: { currency: string }) =>
        new Promise((resolve) => waiting.set(request.currency, resolve)),
    });
    await user.click(tab('Crypto'));
    await settle(widget);
    waiting.get('USD')?.(listIn('USD'));
    await settle(widget);
    expect(panel().queryByRole('button', { name: 'Bank card' })).toBeNull();
    expect(panel().getByText('Loading payment methods')).toBeInTheDocument();
    waiting.get('USDT')?.(listIn('USDT'));
    await settle(widget);
    expect(panel().getByRole('button', { name: 'Bitcoin' })).toBeVisible();
  });

  test('[CRY-3] withdrawals have the same tabs at one address', async () => {
    const widget = await open('/cryptobalance/withdrawal');
    await settle(widget);
    await user.click(tab('Crypto'));
    await settle(widget);
    expect(widget.address()).toBe('/cryptobalance/withdrawal');
    expect(tab('Crypto')).toHaveFocus();
    expect(panel().getByText('61.00000007 USDT')).toBeVisible();
    expect(widget.services.requestsOf('methods-withdrawal').at(-1)).toMatchObject({ currency: 'USDT' });
  });

  test('[CRY-3] coins are paid in under their own tab alone, and Back leads to the same choice', async () => {
    const widget = await open();
    expect(panel().getByRole('button', { name: 'Cash' })).toBeVisible();
    expect(panel().queryByRole('button', { name: 'Crypto' })).toBeNull();
    await user.click(tab('Crypto'));
    await settle(widget);
    await user.click(panel().getByRole('button', { name: 'Bitcoin' }));
    await settle(widget);
    expect(widget.address()).toMatch(/^\/cryptobalance\/deposit\/crypto\/btc/);
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await vi.waitFor(() => expect(widget.address()).toBe('/cryptobalance/deposit/crypto'));
    await settle(widget);
    expect(tab('Crypto')).toHaveAttribute('aria-selected', 'true');
    expect(panel().getByRole('button', { name: 'Currency: USDT' })).toBeVisible();
  });

  test('[CRY-3] an address of a coin is paid in that coin, whatever was being paid in', async () => {
    const bitcoin = { ...listIn('USD') };
    const coinRules = { USD: { min: '1', max: '9' }, BTC: { min: '0.001', max: '9' } };
    const methods = bitcoin.methods.map((method) =>
      method.name === 'btc' ? { ...method, amount_rules: coinRules } : method,
    );
    const widget = await open('/cryptobalance/deposit/crypto/btc', {
      'methods-payment-v5': (request: { currency: string }) => ({ ...bitcoin, currency: request.currency, methods }),
      'deposit-limits': { currency: 'BTC', min: '0', max: '0' },
    });
    await settle(widget);
    await settle(widget);
    expect(widget.services.session.getState().currency).toBe('BTC');
    const created = widget.services.requestsOf('deposit-create');
    expect(created).toMatchObject([{ currency: 'BTC', amount: '0.00100000', paymentType: 'btc' }]);
  });

  test('[CRY-3] a fiat page is never paid in a coin', async () => {
    // A catalogue in which the card stands in tethers as well, so that the guard alone lets it in.
    const everywhere = (request: { currency: string }) => ({ ...listIn('USD'), currency: request.currency });
    const widget = await open('/cryptobalance/deposit/crypto', { 'methods-payment-v5': everywhere });
    await settle(widget);
    expect(widget.services.session.getState().currency).toBe('USDT');
    await act(async () => {
      history.pushState(null, '', '/cashier/cryptobalance/deposit/fiat/redirect/bank_card');
    });
    await settle(widget);
    await settle(widget);
    expect(widget.address()).toBe('/cryptobalance/deposit/fiat/redirect/bank_card');
    expect(widget.services.session.getState().currency).toBe('USD');
    expect(screen.getByText('Bank card')).toBeVisible();
  });
});
