// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { paymentId, paymentServices } from '../../kit/payment/payment-fixture.ts';
import { data, iban } from './bank-transfer-fixture.ts';

const user = userEvent.setup();
const path = `/deposit/redirect/bank_card/bank-transfer?depositId=${paymentId}`;

beforeEach(() => {
  window.scrollTo = () => undefined;
  vi.spyOn(window, 'open').mockReturnValue(null);
  localStorage.clear();
  sessionStorage.clear();
});

test('[DEP-3] a bank transfer’s answer leads to its account, which is copied whole', async () => {
  const services = paymentServices(data);
  services.answer('deposit-create', ({ depositId }: { depositId: string }) => ({ apiResponse: { depositId, data } }));
  const { address, pass } = await openWidget('/deposit/redirect/bank_card', services);
  await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1500');
  await user.click(screen.getByRole('button', { name: /^Deposit/ }));
  await pass(0);
  expect(address()).toMatch(/\/redirect\/bank_card\/bank-transfer\?depositId=/);
  expect(screen.getByText('DE89 3704 0044 0532 0130 00')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Copy: IBAN' }));
  expect(await navigator.clipboard.readText()).toBe(iban);
});

test('in euros the code is there with what it does; a day is counted in hours', async () => {
  const { pass } = await openWidget(path, paymentServices(data));
  await vi.waitFor(async () => {
    await pass(0);
    expect(screen.getByRole('img', { name: 'QR code for this payment' })).toBeInTheDocument();
  });
  expect(screen.getByText(/It fills in the transfer for you/)).toBeVisible();
  expect(screen.getByRole('timer')).toHaveTextContent('24:00:00');
});

test('another currency has the account alone', async () => {
  const { qrCodeText: _code, ...plain } = data;
  await openWidget(path, paymentServices({ ...plain, payment_currency: 'INR' }));
  expect(screen.queryByRole('img')).toBeNull();
  expect(screen.queryByText(/It fills in the transfer for you/)).toBeNull();
});

test('a bank transfer without an account says so and offers a way to continue', async () => {
  await openWidget(path, paymentServices({ bankTransfer: true }));
  expect(screen.getByText('Nothing to pay here')).toBeVisible();
  expect(screen.getByRole('button', { name: 'See status' })).toBeVisible();
});
