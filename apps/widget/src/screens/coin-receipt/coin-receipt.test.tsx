// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { goldBox } from '../../kit/sweepstake/box-fixture.ts';
import { path, receiptServices, report } from './coin-receipt-fixture.ts';

const open = (status: number, more: object = {}) => openWidget(path, receiptServices(report(status, more)));

beforeEach(() => {
  window.scrollTo = () => undefined;
  sessionStorage.clear();
  sessionStorage.setItem('cashier.box', goldBox.boxId);
});

test('[SWP-1] the receipt shows gold and sweep coins as the server credited them', async () => {
  await open(1, { finalAmount: '19.99' });
  expect(screen.getByRole('heading', { name: 'Payment completed' })).toBeVisible();
  expect(screen.getByText('Your coins were added to your balance.')).toBeVisible();
  const received = screen.getByText('You received').closest('div');
  expect(received).toHaveTextContent(/205,000\sGC/);
  expect(received).toHaveTextContent(/20\.50\sSC/);
  expect(screen.getByText('$19.99')).toBeVisible();
  expect(screen.getByText('Bank card')).toBeVisible();
});

test('[SWP-1] before the credit the coins are shown as expected; after a failure no coins are shown', async () => {
  const { services, pass } = await open(3);
  expect(screen.getByText('You will receive')).toBeVisible();
  services.answer('deposit-status', report(2));
  await pass(60_000);
  expect(screen.getByText('The payment did not go through')).toBeVisible();
  expect(screen.queryByText(/GC/)).toBeNull();
});

test('[SWP-1] the button back names the boxes', async () => {
  const { address, pass } = await open(1);
  await userEvent.click(screen.getByRole('button', { name: 'See coin packages' }));
  await pass(0);
  expect(address()).toBe('/deposit');
});

test.each([
  [2, { reason: 'transaction.reason.cancelled' }, 'The purchase was cancelled'],
  [1, { reason: 'transaction.reason.second-payment' }, /A second payment arrived for this purchase\./],
  [0, { lifetime: 1 }, /you can start a new purchase\.$/],
])('[SWP-1] speaks of a purchase, never of a deposit: %s %j', async (status, more, words) => {
  const { pass } = await open(status, more);
  await pass(2_000);
  expect(screen.getByText(words)).toBeVisible();
  expect(document.body).not.toHaveTextContent(/deposit/i);
});
