// @vitest-environment jsdom
import type { Transaction } from '@opencashier/contract/api';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { indiaCatalogue } from '../method/catalogue-fixture.ts';
import { connectionLost } from '../payment/payment-fixture.ts';
import { createFixtureServices } from '../session/services-fixture.ts';

const depositId = '5f0c2f4e-7b0e-4a53-9a3e-2f1d6c0b9a11';
const user = userEvent.setup();
const now = createFixtureServices().clock.now();
const path = `/deposit/redirect/bank_card/unified-form?depositId=${depositId}`;

const report = (more: Partial<Transaction> = {}): Transaction => ({
  depositId,
  paymentMethod: 'bank_card',
  status: 0,
  amount: '1500.00',
  currency: 'INR',
  created: new Date(now - 140_000).toISOString(),
  lifetime: 900,
  serverTime: new Date(now).toISOString(),
  ...more,
});
const open = (answers: Record<string, unknown>) =>
  openWidget('/deposit', createFixtureServices({ 'methods-payment-v5': indiaCatalogue, ...answers }));
const remember = (more: Record<string, string> = {}) =>
  sessionStorage.setItem(
    'cashier.deposit-intent',
    JSON.stringify({ depositId, method: 'bank_card', userId: 'user-1', path, ...more }),
  );
const card = () => screen.queryByRole('button', { name: /^Unfinished deposit/ });

// Lazy in the widget; here only its reading takes time.
beforeAll(() => import('./unfinished-deposit.tsx'));

beforeEach(() => {
  window.scrollTo = () => undefined;
  sessionStorage.clear();
  localStorage.clear();
  localStorage.setItem('cashier.last-method', 'bank_card');
});

describe('[DEP-15] an unfinished deposit on the list', () => {
  test('says how long there is, each second, and leads to its own page', async () => {
    remember();
    const { address, pass } = await open({ 'deposit-status': report() });
    await screen.findByRole('button', { name: 'Unfinished deposit, 12:40 left' });
    expect(card()).toHaveAccessibleDescription('⁨₹1,500.00⁩, Bank card');
    await pass(1000);
    expect(card()).toHaveAccessibleName('Unfinished deposit, 12:39 left');
    await user.click(card() ?? document.body);
    await pass(0);
    expect(address()).toBe(path);
  });

  test('a deposit to a coin address names no amount, because the payer chose none', async () => {
    remember({ method: 'btc', path: `/deposit/crypto/btc?depositId=${depositId}` });
    await open({ 'deposit-status': report({ paymentMethod: 'btc', amount: '850.00', confirmations: 0 }) });
    await screen.findByRole('button', { name: 'Unfinished deposit, 12:40 left' });
    expect(card()).toHaveAccessibleDescription('Bitcoin');
  });

  test('an address that was only shown is not an unfinished deposit: nothing was sent', async () => {
    remember({ method: 'btc', path: `/deposit/crypto/btc?depositId=${depositId}` });
    const { services, pass } = await open({ 'deposit-status': report({ paymentMethod: 'btc', amount: '850.00' }) });
    await pass(0);
    expect(services.requestsOf('deposit-status')).not.toEqual([]);
    await pass(0);
    expect(card()).toBeNull();
  });

  test('disappears when its time is over', async () => {
    remember();
    const { pass } = await open({ 'deposit-status': report({ created: new Date(now - 898_000).toISOString() }) });
    await screen.findByRole('button', { name: 'Unfinished deposit, 00:02 left' });
    await pass(2000);
    expect(card()).toBeNull();
  });

  test('by the server’s clock: a device that is a day off shows the same', async () => {
    remember();
    const day = 86_400_000;
    const services = createFixtureServices({
      'methods-payment-v5': indiaCatalogue,
      'deposit-status': report({ created: new Date(now + day - 140_000).toISOString() }),
    });
    services.api.serverOffsetMs = () => day;
    await openWidget('/deposit', services);
    await screen.findByRole('button', { name: 'Unfinished deposit, 12:40 left' });
  });

  test('in a new tab the server is asked about the method used last', async () => {
    const { services, address, pass } = await open({
      'deposit-check': {
        exists: true,
        depositId,
        amount: '1500.00',
        currency: 'INR',
        created: new Date(now - 140_000).toISOString(),
        lifetime: 900,
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Unfinished deposit, 12:40 left' }));
    await pass(0);
    expect(services.requestsOf('deposit-check')).toEqual([{ paymentMethod: 'bank_card', selectedCountry: 'IN' }]);
    expect(address()).toBe(`/deposit/complete?depositId=${depositId}&method=bank_card`);
  });

  test.each([
    ['paid', report({ status: 1 })],
    ['declined', report({ status: 2 })],
    ['processing', report({ status: 3 })],
    ['in doubt', report({ isOutcomeUnknown: true })],
    ['over', report({ created: new Date(now - 901_000).toISOString() })],
    ['of a method that is gone', report({ paymentMethod: 'gone' })],
  ])('that is %s is none', async (_what, answer) => {
    remember();
    const { pass } = await open({ 'deposit-status': answer, 'deposit-check': { exists: false } });
    await pass(0);
    await pass(0);
    expect(card()).toBeNull();
  });

  test('of another user of this device is not shown', async () => {
    remember({ userId: 'user-2' });
    const { services, pass } = await open({ 'deposit-status': report(), 'deposit-check': { exists: false } });
    await pass(0);
    expect(services.requestsOf('deposit-status')).toEqual([]);
    expect(card()).toBeNull();
  });

  test('a question without an answer leaves the list as it is', async () => {
    remember();
    const lost = () =>
      Promise.reject(new ClientError({ kind: 'network', code: 'socket.networkError', status: 0, message: 'lost' }));
    const { pass } = await open({ 'deposit-status': lost });
    await pass(0);
    expect(card()).toBeNull();
    expect(screen.getAllByRole('button', { name: 'Bank card' }).length).toBeGreaterThan(0);
  });

  test.each(['focus', 'online'])(
    'stays when a later look at %s goes unanswered, and goes when it is paid',
    async (event) => {
      remember();
      const { services, pass } = await open({ 'deposit-status': report() });
      await screen.findByRole('button', { name: 'Unfinished deposit, 12:40 left' });
      const asked = services.requestsOf('deposit-status').length;
      services.answer('deposit-status', connectionLost);
      window.dispatchEvent(new Event(event));
      await pass(0);
      expect(services.requestsOf('deposit-status').length).toBeGreaterThan(asked);
      expect(card()).toHaveAccessibleName('Unfinished deposit, 12:40 left');
      services.answer('deposit-status', report({ status: 1 }));
      services.answer('deposit-check', { exists: false });
      window.dispatchEvent(new Event(event));
      await pass(0);
      expect(card()).toBeNull();
    },
  );

  test('an address without a payment is not looked up', async () => {
    localStorage.clear();
    const { services, pass } = await open({});
    await pass(0);
    expect(services.requestsOf('deposit-check')).toEqual([]);
  });
});
