// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { paymentId, paymentServices } from '../../kit/payment/payment-fixture.ts';
import { code, data } from './pix-fixture.ts';

const user = userEvent.setup();
const complete = `/deposit/complete?depositId=${paymentId}&method=bank_card`;

beforeEach(() => {
  window.scrollTo = () => undefined;
  vi.spyOn(window, 'open').mockReturnValue(null);
  localStorage.clear();
  sessionStorage.clear();
});

const openPage = (answer: Parameters<typeof paymentServices>[0], more?: Parameters<typeof paymentServices>[1]) =>
  openWidget(`/deposit/redirect/bank_card/pix?depositId=${paymentId}`, paymentServices(answer, more));

test.each([
  ['leads to the page', 'custom', /\/pix\?depositId=/],
  ['that is offline leads to the status', 'offline', /\/complete\?depositId=/],
])('[DEP-6] an answer for the page pix %s', async (_what, pageType, place) => {
  const services = paymentServices(data);
  services.answer('deposit-create', ({ depositId }: { depositId: string }) => ({
    apiResponse: { depositId, pageId: 'pix', pageType, data },
  }));
  const { address, pass } = await openWidget('/deposit/redirect/bank_card', services);
  await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1500');
  await user.click(screen.getByRole('button', { name: /^Deposit/ }));
  await pass(0);
  expect(address()).toMatch(place);
});

test('[DEP-6] the code to scan, the same to paste, and Paid, which leads to the status', async () => {
  const { services, address, pass } = await openPage(data, { answers: { 'deposit-complete': {} } });
  await vi.waitFor(async () => {
    await pass(0);
    expect(screen.getByRole('img', { name: 'QR code for this payment' })).toBeInTheDocument();
  });
  expect(screen.getByText('Pix copia e cola')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Copy Pix code: Pix copia e cola' }));
  expect(await navigator.clipboard.readText()).toBe(code);
  await user.click(screen.getByRole('button', { name: 'I have paid' }));
  await pass(0);
  expect(services.requestsOf('deposit-complete')).toHaveLength(1);
  expect(address()).toBe(complete);
});

test('[DEP-6] a picture alone is enough; only the amount can be copied', async () => {
  await openPage({ ...data, qrCodeText: '', qrDataURL: 'data:image/png;base64,AAAA' });
  expect(screen.getByRole('img', { name: 'QR code for this payment' })).toBeVisible();
  expect(screen.getAllByRole('button', { name: /^Copy/ })).toHaveLength(1);
});

test('an answer without a code says so and offers a way to continue', async () => {
  const { address, pass } = await openPage({ payment_amount: '25.00', payment_currency: 'BRL' });
  expect(screen.getByText('Nothing to pay here')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'See status' }));
  await pass(0);
  expect(address()).toBe(complete);
});

test('a code longer than any QR code can still be copied', async () => {
  const long = 'x'.repeat(2900);
  const { pass } = await openPage({ ...data, qrCodeText: long });
  await vi.waitFor(async () => {
    await pass(0);
    expect(document.querySelector('[data-qr]')).toBeNull();
  });
  expect(screen.getByRole('button', { name: 'Copy Pix code: Pix copia e cola' })).toBeVisible();
});
