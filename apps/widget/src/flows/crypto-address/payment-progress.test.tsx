// @vitest-environment jsdom
import type { Transaction } from '@opencashier/contract/api';
import { cleanup, screen } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { createSession } from '../../kit/session/services-fixture.ts';
import { addressServer, type Create, cryptoServices, report } from './crypto-address-fixture.ts';

const create = addressServer();

async function open(answers: Record<string, unknown> = {}, path = '/deposit/crypto/usdt') {
  const services = cryptoServices({ 'deposit-create': create, ...answers }, createSession({}));
  const widget = await openWidget(path, services);
  return { ...widget, creations: () => services.requestsOf('deposit-create') as Create[] };
}

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  sessionStorage.clear();
  cleanup();
});

describe('[CRY-2] the payment', () => {
  const txid = `8f3a1${'b'.repeat(54)}c09de`;
  const seen = (confirmations: number, more: Partial<Transaction> = {}) =>
    report({ txid, blockchain: 'Tron', confirmations, requiredConfirmations: 20, ...more });

  test('is awaited, then counted by the server, with estimates between its reports', async () => {
    const { services, pass, creations } = await open();
    expect(screen.getByText('Waiting for your transfer')).toBeVisible();
    services.answer('deposit-status', seen(7));
    await pass(2000);
    expect(screen.getByText('Transfer received')).toBeVisible();
    const bar = screen.getByRole('progressbar', { name: 'Confirmations' });
    expect(bar).toHaveAttribute('aria-valuetext', '7 of 20');
    // No answer from now on: the chain's interval of 3 s counts on.
    services.answer('deposit-status', () => new Promise(() => undefined));
    await pass(3000);
    expect(bar).toHaveAttribute('aria-valuetext', 'about 8 of 20');
    expect(screen.getByText('Estimated until the network updates')).toBeVisible();
    services.answer('deposit-status', seen(7, { serverTime: '2026-01-01T00:00:09Z' }));
    expect(creations()).toHaveLength(1);
  });

  test('a higher estimate waits for the server, and its report ends the estimate', async () => {
    const { services, pass, creations } = await open();
    services.answer('deposit-status', seen(7));
    await pass(2000);
    services.answer('deposit-status', seen(6, { serverTime: '2026-01-01T00:00:09Z' }));
    await pass(3000);
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuetext', 'about 7 of 20');
    expect(screen.getByText(/^Estimated/)).toBeVisible();
    const ahead = seen(12, { serverTime: '2026-01-01T00:01:00Z' });
    services.answer('deposit-status', ahead);
    services.push('deposit.status', ahead({ depositId: String(creations()[0]?.depositId) }));
    await pass(50);
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuetext', '12 of 20');
    expect(screen.queryByText(/^Estimated/)).toBeNull();
  });

  test('shows what has arrived, before and after it is final', async () => {
    const { services, pass } = await open({ 'deposit-status': report({ receivedAmount: '125', currency: 'USDT' }) });
    expect(screen.getByText('Transfer received')).toBeVisible();
    expect(screen.getByText(/^Received .?125.00\sUSDT/)).toBeVisible();
    services.answer('deposit-status', seen(20, { receivedAmount: '126.50', currency: 'USDT' }));
    await pass(2000);
    expect(screen.getByText('Transfer confirmed')).toBeVisible();
    expect(screen.getByText(/^Received .?126.50\sUSDT/)).toBeVisible();
    services.answer('deposit-status', seen(20));
    await pass(5000);
    expect(screen.queryByText(/^Received/)).toBeNull();
  });

  test('shows its hash short, with the way to the explorer', async () => {
    await open({ 'deposit-status': seen(1) });
    const link = screen.getByRole('link', { name: /Transaction .8f3a1…c09de/ });
    expect(link).toHaveAttribute('href', `https://tronscan.org/#/transaction/${txid}`);
    expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  });

  test('with all confirmations is not credited yet; only a report of the server ends it', async () => {
    const { services, pass, address, creations } = await open({ 'deposit-status': seen(20) });
    expect(screen.getByText('Transfer confirmed')).toBeVisible();
    expect(screen.queryByText(/Payment completed/)).toBeNull();
    expect(address()).toContain('/deposit/crypto/usdt');
    services.answer(
      'deposit-status',
      seen(20, { status: 1, finalAmount: '850.00', serverTime: '2026-01-01T00:01:00Z' }),
    );
    const depositId = String(creations()[0]?.depositId);
    services.push('deposit.status', seen(20, { status: 1 })({ depositId }));
    await pass(0);
    expect(address()).toBe(`/deposit/complete?depositId=${depositId}&method=usdt`);
    expect(sessionStorage.getItem('cashier.addresses')).toBeNull();
  });

  test('in review does not say that the balance is being updated; the review is shown, also after coming back', async () => {
    const { services, pass, address, creations } = await open({ 'deposit-status': seen(19) });
    const underReview = seen(20, {
      status: 3,
      reason: 'transaction.reason.below-minimum',
      receivedAmount: '5.00',
      serverTime: '2026-01-01T00:01:00Z',
    });
    services.answer('deposit-status', underReview);
    await pass(2000);
    const depositId = String(creations()[0]?.depositId);
    const end = `/deposit/complete?depositId=${depositId}&method=usdt`;
    expect(address()).toBe(end);
    const back = await open({ 'deposit-status': underReview }, `/deposit/crypto/usdt?depositId=${depositId}`);
    await back.pass(0);
    expect(back.address()).toBe(end);
  });

  test('[CRY-2] the count never goes back while the transaction is the same, and restarts with another one', async () => {
    let asked = 0;
    const two = ({ depositId }: Pick<Create, 'depositId'>) => {
      asked += 1;
      return seen(2, { serverTime: new Date(Date.UTC(2026, 0, 1, 0, 1, asked)).toISOString() })({ depositId });
    };
    const { services, pass, creations } = await open({ 'deposit-status': two });
    const valueNow = () => Number(screen.getByRole('progressbar').getAttribute('aria-valuenow'));
    // The server is asked again and again, and says 2 each time; between its answers the estimate goes on.
    const counts: number[] = [valueNow()];
    for (let seconds = 0; seconds < 30; seconds += 1) {
      await pass(1000);
      counts.push(valueNow());
    }
    expect(counts).toEqual(counts.toSorted((left, right) => left - right));
    expect(valueNow()).toBeGreaterThanOrEqual(4);
    const depositId = String(creations()[0]?.depositId);
    const ahead = seen(19, { serverTime: '2026-01-01T00:02:00Z' });
    services.answer('deposit-status', ahead);
    services.push('deposit.status', ahead({ depositId }));
    await pass(50);
    expect(valueNow()).toBe(19);
    const other = { txid: 'f'.repeat(64), serverTime: '2026-01-01T00:02:09Z' };
    services.answer('deposit-status', seen(1, other));
    services.push('deposit.status', seen(1, other)({ depositId }));
    await pass(50);
    expect(valueNow()).toBe(1);
  });

  test('[CRY-2] a transfer that has vanished is said, and the address waits again', async () => {
    const { services, pass } = await open({ 'deposit-status': seen(0) });
    const gone = { txid: undefined, confirmations: undefined, reason: 'transaction.reason.vanished' };
    services.answer('deposit-status', seen(0, { ...gone, serverTime: '2026-01-01T00:01:00Z' }));
    await pass(10_000);
    expect(screen.getByText('Waiting for your transfer')).toBeVisible();
    expect(screen.getByText(/no longer in progress.*Nothing was credited/)).toBeVisible();
    expect(screen.queryByRole('progressbar')).not.toBeInTheDocument();
  });

  test('the estimate stops when the payment no longer waits', async () => {
    const { services, pass } = await open({ 'deposit-status': seen(7, { status: 3 }) });
    services.answer('deposit-status', () => new Promise(() => undefined));
    await pass(60_000);
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuetext', '7 of 20');
    expect(screen.getByText('Transfer confirmed')).toBeVisible();
  });
});
