// @vitest-environment jsdom
import type { PaymentMethod, Transaction } from '@opencashier/contract/api';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { cardMethod, indiaCatalogue } from '../../kit/method/catalogue-fixture.ts';
import { createFixtureServices, createSession } from '../../kit/session/services-fixture.ts';

const depositId = '5f0c2f4e-7b0e-4a53-9a3e-2f1d6c0b9a11';
const user = userEvent.setup();
const createdAt = createFixtureServices().clock.now();
const at = (ms: number) => new Date(createdAt + ms).toISOString();

const report = (status: number, more: Partial<Transaction> = {}): Transaction => ({
  depositId,
  paymentMethod: 'bank_card',
  status,
  amount: '1500.00',
  currency: 'INR',
  created: at(0),
  lifetime: 600,
  serverTime: at(0),
  ...more,
});

function open(
  answer: unknown,
  answers: Record<string, unknown> = {},
  more: Partial<PaymentMethod> = {},
  isNative = false,
) {
  const methods = [{ ...cardMethod, ...more }, ...indiaCatalogue.methods.slice(2)];
  const services = createFixtureServices(
    { 'methods-payment-v5': { ...indiaCatalogue, methods }, 'deposit-status': answer, ...answers },
    { session: createSession({ isNative }) },
  );
  return openWidget(`/deposit/complete?depositId=${depositId}&method=bank_card`, services);
}
const intent = (more: Record<string, string> = {}) =>
  sessionStorage.setItem('cashier.deposit-intent', JSON.stringify({ depositId, userId: 'user-1', ...more }));
const reopen = () => screen.findByRole('button', { name: 'Reopen payment page' });
const source = (address: string) => ({ apiResponse: { depositId, source: address, method: 'GET' } });

const popup = { closed: false, opener: null as unknown, document, location: { replace: vi.fn() }, close: vi.fn() };

// Lazy in the widget; here only its reading takes time.
beforeAll(() => import('../../kit/deposit/reopen-deposit.tsx'));

beforeEach(() => {
  window.scrollTo = () => undefined;
  sessionStorage.clear();
  vi.clearAllMocks();
  const page = document.implementation.createHTMLDocument();
  vi.spyOn(window, 'open').mockReturnValue({ ...popup, document: page } as unknown as Window);
});

describe('[DEP-15] a payment page that was closed by accident', () => {
  test('is opened again by the same create under the same key', async () => {
    intent({ selectedCountry: 'DE', bonusId: 'b-1' });
    const { services, pass } = await open(report(0), { 'deposit-create': source('https://pay.example/p/1') });
    await user.click(await reopen());
    await pass(0);
    expect(services.requestsOf('deposit-create')).toEqual([
      {
        depositId,
        paymentType: 'bank_card',
        amount: '1500.00',
        currency: 'INR',
        fields: {},
        selectedCountry: 'DE',
        isActivatedBonus: true,
        bonusId: 'b-1',
      },
    ]);
    expect(popup.location.replace).toHaveBeenCalledWith('https://pay.example/p/1');
  });

  test('a blocked window leaves a link', async () => {
    vi.mocked(window.open).mockReturnValue(null);
    const { pass } = await open(report(0), { 'deposit-create': source('https://pay.example/p/1') });
    await user.click(await reopen());
    await pass(0);
    expect(screen.getByRole('link', { name: 'Open payment page' })).toHaveAttribute('href', 'https://pay.example/p/1');
  });

  test('[FORM-9] follows no unsafe link', async () => {
    const { pass } = await open(report(0), { 'deposit-create': source('javascript:alert(1)') });
    await user.click(await reopen());
    await pass(0);
    expect(popup.location.replace).not.toHaveBeenCalled();
    expect(popup.close).toHaveBeenCalled();
    expect(screen.getByText(/There is nothing more to do for this payment/)).toBeVisible();
  });

  test('a refusal closes the window and is shown', async () => {
    const refuse = () =>
      Promise.reject(new ClientError({ kind: 'refused', code: 'state-conflict', status: 409, message: 'over' }));
    const { pass } = await open(report(0), { 'deposit-create': refuse });
    await user.click(await reopen());
    await pass(0);
    expect(popup.close).toHaveBeenCalled();
    expect(within(screen.getByRole('main')).getByRole('alert')).toBeVisible();
  });

  test('a payment on a screen of the widget continues on that screen', async () => {
    intent({ path: `/deposit/redirect/bank_card/unified-form?depositId=${depositId}` });
    const { address, services, pass } = await open(report(0));
    await user.click(await reopen());
    await pass(0);
    expect(address()).toBe(`/deposit/redirect/bank_card/unified-form?depositId=${depositId}`);
    expect(window.open).not.toHaveBeenCalled();
    expect(services.requestsOf('deposit-create')).not.toContainEqual(expect.objectContaining({ amount: '1500' }));
  });

  test('is not offered for a paid, ended, unknown or unclear deposit', async () => {
    const missing = () =>
      Promise.reject(new ClientError({ kind: 'refused', code: 'not-found', status: 404, message: 'none' }));
    for (const answer of [
      report(1),
      report(2),
      report(3),
      report(0, { isOutcomeUnknown: true }),
      report(0, { created: at(-601_000) }),
      missing,
    ]) {
      const { pass } = await open(answer);
      await pass(0);
      expect(screen.queryByRole('button', { name: 'Reopen payment page' })).toBeNull();
      document.body.replaceChildren();
    }
  });
});

test('[DEP-15] the time left is shown while it waits, and so is its end', async () => {
  const { pass } = await open(report(0, { created: at(-540_000) }));
  expect(screen.getByText('01:00')).toBeVisible();
  await pass(1000);
  expect(screen.getByText('00:59')).toBeVisible();
  await pass(59_000);
  expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent('The time to pay has run out');
  expect(screen.getByText(/do not pay again/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Reopen payment page' })).toBeNull();
});

describe('[DEP-15] the server’s reasons', () => {
  test.each([
    ['declined', 'The payment did not go through'],
    ['expired', 'The time to pay has run out'],
    ['cancelled', 'The deposit was cancelled'],
    ['reversed', 'The payment was reversed'],
    ['refunded', 'The payment was refunded'],
    ['provider-error', 'The payment did not go through'],
    ['not-submitted', 'The payment did not go through'],
  ])('%s ends a payment under its own words', async (reason, title) => {
    const { services } = await open(report(2, { reason: `transaction.reason.${reason}` }));
    expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent(title);
    const words = services.texts.getState().translate(`transaction.reason.${reason}`);
    expect(screen.getByText(words, { exact: false })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Back to payment' })).toBeVisible();
  });

  test.each(['late', 'underpaid', 'below-minimum', 'overpaid', 'wrong-currency', 'second-payment'])(
    '%s is reviewed by staff, and the user must not pay again',
    async (reason) => {
      const { services } = await open(report(3, { reason: `transaction.reason.${reason}` }));
      expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent('We are reviewing your payment');
      expect(screen.getByText(services.texts.getState().translate(`transaction.reason.${reason}`))).toBeVisible();
      expect(screen.queryByRole('button', { name: 'Back to payment' })).toBeNull();
    },
  );

  test('a reason without a text is left out, never shown as a key', async () => {
    await open(report(2, { reason: 'transaction.reason.never-heard-of' }));
    expect(screen.getByText(/Nothing was added to your balance/)).toBeVisible();
    expect(screen.queryByText(/transaction\.reason/)).toBeNull();
  });
});
