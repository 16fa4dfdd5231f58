// @vitest-environment jsdom
import type { MethodList, PaymentMethod } from '@opencashier/contract/api';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import type { Answers } from '../session/services-fixture.ts';
import {
  tether,
  withdrawalCatalogue,
  withdrawalId,
  withdrawalReport,
  withdrawalServices,
} from '../withdrawal/withdrawal-fixture.ts';

const user = userEvent.setup();
const asOf = '2026-01-01T00:00:00.000Z';
const wallet = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const coins: PaymentMethod = { ...tether, payoutCurrency: 'USDT' };
const list: MethodList = { ...withdrawalCatalogue, methods: [coins] };
const quoted = { amount: '11.9', rate: '0.0119', asOf, quote: 'the-quote', expires: '2099-01-01T00:00:00.000Z' };

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
});

const row = (title: string | RegExp) => screen.getByText(title, { selector: 'dt' }).parentElement;
const openForm = (answers: Answers, shown = list) =>
  openWidget('/withdrawal/redirect/usdt_withdrawal', withdrawalServices(answers, shown));

test('[WD-2] coins of a money balance: the coin amount, the rate and its time; created with the shown quote', async () => {
  const { services, pass } = await openForm({
    'payment-convert-v2': quoted,
    'withdrawal-create': { withdrawalId, status: 0, fee: '0', receives: '1000' },
  });
  await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1000');
  await user.type(screen.getByRole('textbox', { name: 'Wallet address' }), wallet);
  await pass(500);
  expect(services.requestsOf('payment-convert-v2')).toEqual([
    { amount: '1000', from: 'INR', to: 'USDT', paymentMethod: 'usdt_withdrawal' },
  ]);
  expect(row('You receive')).toHaveTextContent(/11\.90\sUSDT/);
  expect(row(/^Rate as of .+:00/)).toHaveTextContent('1 INR = 0.0119 USDT');
  await user.click(screen.getByRole('button', { name: /^Withdraw/ }));
  await pass(0);
  expect(services.requestsOf('withdrawal-create')).toMatchObject([{ currency: 'INR', quote: 'the-quote' }]);
});

test('[WD-2] the rate of a valuable coin is shown as its price', async () => {
  const { pass } = await openForm({ 'payment-convert-v2': { ...quoted, amount: '0.0001', rate: '0.000000125' } });
  await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1000');
  await pass(500);
  expect(row(/^Rate as of /)).toHaveTextContent('1 USDT = 80,00,000 INR');
});

test('[WD-2] coins from a balance in the same coin are not converted', async () => {
  const { services, pass } = await openForm({}, { ...list, methods: [{ ...coins, payoutCurrency: 'INR' }] });
  await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1000');
  await pass(500);
  expect(services.requestsOf('payment-convert-v2')).toEqual([]);
  expect(row('You receive')).toHaveTextContent('₹1,000.00');
});

test.each(['confirm', 'complete'])('[WD-2] %s names the coin amount and the rate with its time', async (page) => {
  const services = withdrawalServices({}, list);
  const payout = { currency: 'USDT', amount: '11.9', rate: '0.0119', asOf };
  const report = { paymentMethod: 'usdt_withdrawal', payout, ...(page === 'complete' && { status: 3 }) };
  services.answer('withdrawal-status', withdrawalReport(services, report));
  await openWidget(`/withdrawal/${page}?withdrawalId=${withdrawalId}`, services);
  expect(row('You receive')).toHaveTextContent(/11\.90\sUSDT/);
  expect(row(/^Rate as of /)).toHaveTextContent('1 INR = 0.0119 USDT');
});
