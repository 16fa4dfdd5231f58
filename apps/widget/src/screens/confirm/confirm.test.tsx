// @vitest-environment jsdom
import type { PaymentMethod, WithdrawalConfirmation } from '@opencashier/contract/api';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { connectionLost, refusal } from '../../kit/payment/payment-fixture.ts';
import type { Answers } from '../../kit/session/services-fixture.ts';
import {
  bankCard,
  withdrawalCatalogue,
  withdrawalId,
  withdrawalReport,
  withdrawalServices,
} from '../../kit/withdrawal/withdrawal-fixture.ts';

const user = userEvent.setup();
const india = { name: 'India', code: 'IN', prefix: '+91', example: '98765 43210' };

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
});

afterEach(() => vi.restoreAllMocks());

const open = (answers: Answers = {}, state?: unknown) =>
  openWidget(`/withdrawal/confirm?withdrawalId=${withdrawalId}`, withdrawalServices(answers), state);
const line = (title: string) => screen.getByText(title, { selector: 'dt' }).nextElementSibling;
const confirm = () => screen.getByRole('button', { name: 'Confirm withdrawal' });
const button = (name: string) => screen.getByRole('button', { name });

test('[WD-2] amount, fee, payout, destination and time left come from the server, after a reload too', async () => {
  const { pass } = await open();
  expect(screen.getByText('₹1,000.00')).toBeVisible();
  expect(line('To')).toHaveTextContent('Bank card');
  expect(line('Card number')).toHaveTextContent('4242 4242 4242 4242');
  expect(line('Expected arrival')).toHaveTextContent('Usually within 15 minutes');
  expect(line('Fee')).toHaveTextContent('₹18.33');
  expect(line('You receive')).toHaveTextContent('₹981.67');
  expect(screen.getByRole('timer')).toHaveTextContent('15:00');
  await pass(61_000);
  expect(screen.getByRole('timer')).toHaveTextContent('13:59');
});

test('[WD-2] the whole destination, in the order and with the labels of the form: bank, account, code, name', async () => {
  const bank: PaymentMethod = {
    ...bankCard,
    fields: [
      { name: 'bank', type: 'dropdown', values: [{ text: 'Bank of Tests', value: '100000000008' }] },
      { name: 'accountNumber', type: 'text', props: { label: 'Account number' } },
      { name: 'bic', type: 'text', props: { label: 'BIC' } },
      { name: 'phone', type: 'phone_with_prefix', countries: [india] },
      { name: 'wallet', type: 'text', props: { label: 'Wallet address' } },
    ],
  };
  const services = withdrawalServices({}, { ...withdrawalCatalogue, methods: [bank] });
  const destination = [
    { name: 'bank', value: '100000000008' },
    { name: 'accountNumber', value: '40817810099910004312' },
    { name: 'bic', value: '044525225' },
    { name: 'phone', value: '+919876543210' },
    { name: 'wallet', value: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' },
  ];
  services.answer('withdrawal-status', withdrawalReport(services, { destination }));
  await openWidget(`/withdrawal/confirm?withdrawalId=${withdrawalId}`, services);
  const [first] = screen.getAllByRole('term').map(({ parentElement }) => parentElement?.parentElement);
  expect([...(first?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
    'ToBank card',
    'BankBank of Tests',
    'Account number4081 7810 0999 1000 4312',
    'BIC0445 2522 5',
    'Phone+91 9876 5432 10',
    'Wallet addressTJRa bPrw bZy4 5sba vfcj inPJ C18k jpRT v8',
    'Expected arrivalUsually within 15 minutes',
  ]);
});

test('[WD-2] confirmed once, however often it is pressed; then its status', async () => {
  const { services, address, pass } = await open({ 'withdrawal-confirm': { withdrawalId, status: 3 } });
  await user.dblClick(confirm());
  await pass(0);
  expect(services.requestsOf('withdrawal-confirm')).toEqual([{ withdrawalId }]);
  expect(address()).toBe(`/withdrawal/complete?withdrawalId=${withdrawalId}`);
  expect(services.requestsOf('withdrawal-cancel')).toEqual([]);
});

test('[WD-2] Change gives the amount back and leads to the form', async () => {
  const { services, address, pass } = await open({ 'withdrawal-cancel': { withdrawalId, status: 2 } });
  await user.click(button('Change'));
  await pass(0);
  expect(services.requestsOf('withdrawal-cancel')).toEqual([{ withdrawalId }]);
  expect(address()).toBe('/withdrawal/redirect/card_withdrawal');
  expect(await screen.findByRole('textbox', { name: 'Amount' })).toHaveValue('1,000.00');
});

test('[WD-2] leaving by Back gives the amount back', async () => {
  const { services, pass } = await open({ 'withdrawal-cancel': { withdrawalId, status: 2 } });
  await user.click(button('Back'));
  await pass(0);
  expect(services.requestsOf('withdrawal-cancel')).toEqual([{ withdrawalId }]);
});

test('[WD-2] a cancel that came too late shows the status', async () => {
  const { services, address, pass } = await open({ 'withdrawal-cancel': refusal('state-conflict', 409) });
  services.answer('withdrawal-status', withdrawalReport(services, { status: 3 }));
  await user.click(button('Change'));
  await pass(0);
  await pass(0);
  expect(address()).toBe(`/withdrawal/complete?withdrawalId=${withdrawalId}`);
});

test('[WD-2] a confirm without an answer is being checked, and not to be repeated; then it may be pressed again', async () => {
  const { services, pass } = await open({ 'withdrawal-confirm': connectionLost });
  services.answer('withdrawal-status', connectionLost);
  await user.click(confirm());
  await pass(0);
  expect(screen.getByText('Please do not withdraw again.')).toBeVisible();
  services.answer('withdrawal-status', withdrawalReport(services));
  await pass(5000);
  expect(confirm()).toBeVisible();
  expect(services.requestsOf('withdrawal-cancel')).toEqual([]);
});

const providerWords = '<b>Your bank</b> refuses these payments.';
test.each([
  ['banking.merchantClientError', 422, providerWords, providerWords, /^Check the account/],
  ['provider-error', 502, undefined, /^Check the account/, 'The provider declined'],
] as const)(
  '[WD-2] [ERR-4] a decline by %s is told once, on the status page',
  async (code, status, message, told, not) => {
    // Only the status says why, as on every other device.
    const declines = () =>
      Promise.reject(new ClientError({ kind: 'refused', code, status, message: 'The provider declined' }));
    const { services, address, pass } = await open({ 'withdrawal-confirm': declines });
    const reason = 'withdrawal.reason.declined';
    services.answer('withdrawal-status', withdrawalReport(services, { status: 2, reason, message }));
    await user.click(confirm());
    await pass(0);
    await pass(0);
    expect(address()).toContain('/withdrawal/complete');
    expect(screen.getByRole('heading', { name: 'The withdrawal was declined' })).toBeVisible();
    expect(screen.getByText(told)).toBeVisible();
    expect(screen.queryByText(not)).toBeNull();
    expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  },
);

test('[WD-2] being checked names amount, destination and the number to copy', async () => {
  const { services, pass } = await open({ 'withdrawal-confirm': connectionLost });
  services.answer('withdrawal-status', connectionLost);
  await user.click(confirm());
  await pass(0);
  expect(screen.getByText('Your withdrawal is being checked')).toBeVisible();
  expect(line('Amount')).toHaveTextContent('₹1,000.00');
  expect(line('Card number')).toHaveTextContent('4242 4242 4242 4242');
  await user.click(button('Copy: Withdrawal ID'));
  expect(await navigator.clipboard.readText()).toBe(withdrawalId);
});

test('[NET-3] a press while the device is offline says so beside the button and starts no call', async () => {
  const { services, pass } = await open({ 'withdrawal-confirm': { withdrawalId, status: 3 } });
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const words = 'No connection. Your request was not sent. Try again.';
  await user.click(confirm());
  expect(screen.getByText(words)).toBeVisible();
  await user.click(button('Change'));
  expect([services.requestsOf('withdrawal-confirm'), services.requestsOf('withdrawal-cancel')]).toEqual([[], []]);
  onLine.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(screen.queryByText(words)).toBeNull();
  await user.click(confirm());
  await pass(0);
  expect(services.requestsOf('withdrawal-confirm')).toEqual([{ withdrawalId }]);
});

test('[WD-2] after its time nothing can be confirmed, and the server is asked for its status', async () => {
  const { services, address, pass } = await open();
  await pass(899_000);
  services.answer('withdrawal-status', withdrawalReport(services, { status: 2, reason: 'withdrawal.reason.expired' }));
  await pass(1000);
  await pass(0);
  expect(services.requestsOf('withdrawal-confirm')).toEqual([]);
  expect(address()).toBe(`/withdrawal/complete?withdrawalId=${withdrawalId}`);
});

test('[WD-2] a hold whose end is before its start has ended', async () => {
  const services = withdrawalServices();
  const expires = new Date(services.clock.now() - 1000).toISOString();
  services.answer('withdrawal-status', withdrawalReport(services, { expires }));
  await openWidget(`/withdrawal/confirm?withdrawalId=${withdrawalId}`, services);
  expect(screen.getByRole('timer')).toHaveTextContent('00:00');
  expect(confirm()).toHaveAttribute('aria-disabled', 'true');
});

test('[NAV-7] an address without a withdrawal leads to the list', async () => {
  const { address } = await openWidget('/withdrawal/confirm', withdrawalServices());
  expect(address()).toBe('/withdrawal');
});

test('[NAV-7] an unknown withdrawal says so', async () => {
  await open({ 'withdrawal-status': refusal('not-found', 404) });
  expect(screen.getByText('We cannot find this withdrawal')).toBeVisible();
});

describe('[WD-2] a code', () => {
  const wanted = (at: number, more: Partial<WithdrawalConfirmation> = {}): WithdrawalConfirmation => ({
    kind: 'code',
    channel: 'sms',
    length: 6,
    attemptsLeft: 5,
    expires: new Date(at + 300_000).toISOString(),
    resendAt: new Date(at + 30_000).toISOString(),
    serverTime: new Date(at).toISOString(),
    ...more,
  });
  const openWithCode = async (answers: Answers = {}) => {
    const services = withdrawalServices(answers);
    const confirmation = wanted(services.clock.now());
    services.answer('withdrawal-status', withdrawalReport(services, { confirmation }));
    return openWidget(`/withdrawal/confirm?withdrawalId=${withdrawalId}`, services);
  };
  const field = () => screen.getByRole('textbox', { name: 'Confirmation code' });

  test('is asked for, and sent as it was typed', async () => {
    const { services } = await openWithCode();
    expect(field()).toHaveAccessibleDescription('We sent it to your phone');
    await user.click(confirm());
    expect(screen.getByText('Enter the full code.')).toBeVisible();
    expect(services.requestsOf('withdrawal-confirm')).toEqual([]);
    await user.type(field(), '12 34 56 7');
    expect(field()).toHaveValue('123456');
    await user.click(confirm());
    expect(services.requestsOf('withdrawal-confirm')).toEqual([{ withdrawalId, code: '123456' }]);
  });

  test('[UI-3] is offered by the device, and pasted as it was sent', async () => {
    const { services } = await openWithCode();
    expect(field()).toHaveAttribute('autocomplete', 'one-time-code');
    await user.click(field());
    await user.paste('123-456');
    expect(field()).toHaveValue('123456');
    await user.click(confirm());
    expect(services.requestsOf('withdrawal-confirm')).toEqual([{ withdrawalId, code: '123456' }]);
  });

  test('that is wrong shows the attempts left, and the amount stays on hold', async () => {
    const wrong = () =>
      Promise.reject(
        new ClientError({
          kind: 'refused',
          code: 'code-wrong',
          status: 422,
          message: 'wrong',
          params: { attemptsLeft: '4' },
        }),
      );
    const { address, pass } = await openWithCode({ 'withdrawal-confirm': wrong });
    await user.type(field(), '111111{Enter}');
    await pass(0);
    expect(screen.getByText('This code is not correct. You have 4 attempts left.')).toBeVisible();
    expect(field()).toHaveValue('');
    expect(address()).toContain('/withdrawal/confirm');
  });

  test('can be sent again after a while', async () => {
    const { services, pass } = await openWithCode();
    expect(button('New code in 30 s')).toHaveAttribute('aria-disabled', 'true');
    await user.click(button('New code in 30 s'));
    expect(services.requestsOf('withdrawal-code-send')).toEqual([]);
    await pass(30_000);
    const confirmation = wanted(services.clock.now());
    services.answer('withdrawal-code-send', { withdrawalId, confirmation });
    await user.click(button('Send a new code'));
    await pass(0);
    expect(services.requestsOf('withdrawal-code-send')).toEqual([{ withdrawalId }]);
    expect(button('New code in 30 s')).toBeVisible();
  });

  test('[NET-3] asking for another code while the device is offline says so beside the button and loses nothing', async () => {
    const { services, pass } = await openWithCode();
    await user.type(field(), '123');
    await pass(30_000);
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await user.click(button('Send a new code'));
    const words = 'No connection. Your request was not sent. Try again.';
    expect(screen.getByText(words)).toBeVisible();
    expect(services.requestsOf('withdrawal-code-send')).toEqual([]);
    expect(field()).toHaveValue('123');
    onLine.mockReturnValue(true);
    act(() => void window.dispatchEvent(new Event('online')));
    expect(screen.queryByText(words)).toBeNull();
    await user.click(button('Send a new code'));
    expect(services.requestsOf('withdrawal-code-send')).toEqual([{ withdrawalId }]);
    onLine.mockRestore();
  });
});

test('[WD-2] a push makes the screen ask: confirmed in another tab, it shows its status', async () => {
  const { services, address, pass } = await open();
  const confirmed = withdrawalReport(services, { status: 3 });
  services.answer('withdrawal-status', confirmed);
  act(() => services.push('withdrawal.status', confirmed));
  await pass(0);
  expect(address()).toBe(`/withdrawal/complete?withdrawalId=${withdrawalId}`);
});
