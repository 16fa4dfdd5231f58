// @vitest-environment jsdom
import { act, cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { openInvoicePage as open } from './invoice-fixture.ts';
import { depositId, p2pAnswer, p2pMethod, report } from './peer-to-peer-fixture.ts';

const user = userEvent.setup();
const lost = () =>
  Promise.reject(new ClientError({ kind: 'network', code: 'socket.networkError', status: 0, message: 'lost' }));

const paid = () => screen.queryByRole('button', { name: 'I have paid' });
const complete = `/deposit/complete?depositId=${depositId}&method=p2p_imps`;

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  sessionStorage.clear();
});

describe('[DEP-11] [NAV-7] what the invoice shows', () => {
  test('shows payee, exact amount, time left and instruction, also after a reload', async () => {
    const { services } = await open();
    expect(screen.getByText('₹1,503.20')).toBeVisible();
    expect(screen.getByText('4276 3800 1234 5678')).toBeVisible();
    expect(screen.getByText('State Bank of India')).toBeVisible();
    expect(screen.getByText('Anita R.')).toBeVisible();
    expect(screen.getByText('Open the app of your bank.')).toBeVisible();
    expect(screen.getByRole('timer')).toHaveTextContent('15:00');
    // The same key, the same intent, and nothing that the user had typed.
    expect(services.requestsOf('deposit-create-p2p')).toEqual([
      { depositId, amount: '1500.00', currency: 'INR', paymentMethod: 'p2p_imps', selectedCountry: 'IN' },
    ]);
  });

  test.each([86_400_000, -86_400_000])(
    'a clock that is off by %d ms shows the right time left',
    async (deviceOffMs) => {
      const { pass } = await open({ deviceOffMs });
      expect(screen.getByRole('timer')).toHaveTextContent('15:00');
      await pass(60_000);
      expect(screen.getByRole('timer')).toHaveTextContent('14:00');
      expect(paid()).toBeVisible();
    },
  );

  test('HTML in a provider’s text is shown as text', async () => {
    const html = '<img src=x onerror=alert(1)>';
    await open({ answer: p2pAnswer({ card: { number: html, fullName: html }, instruction: { text: html } }) });
    expect(screen.getAllByText(html)).toHaveLength(3);
    expect(document.querySelector('img')).toBeNull();
  });

  test('opening the page of an unknown deposit does not create it', async () => {
    const gone = () =>
      Promise.reject(new ClientError({ kind: 'refused', code: 'not-found', status: 404, message: 'none' }));
    const { services, address } = await open({ more: { 'deposit-status': gone } });
    expect(services.requestsOf('deposit-create-p2p')).toEqual([]);
    expect(address()).toBe(complete);
  });

  test.each([
    ['card', { card: null }],
    ['card', { card: { fullName: 'Anita R.', bank_name: 'Bank', number: ' ' } }],
    ['card', { card: null, unifiedFlow: true, requisites: [] }],
    ['timing', { unifiedFlow: true, created: 'soon', requisites: [{ name: 'a', title: 'A', value: '1' }] }],
    ['timing', { created: null }],
    ['timing', { timeout_minutes: null }],
  ])('an answer without its %s is told to the host, and the person has a way on', async (missing, hole) => {
    const { services, address, pass } = await open({ answer: p2pAnswer(hole) });
    expect(screen.getByText('We could not get the payment details')).toBeVisible();
    expect(screen.getByText('Do not send money for this deposit.')).toBeVisible();
    const errors = services.posted.filter(({ messageType }) => messageType === 'error');
    expect(errors).toEqual([
      {
        messageType: 'error',
        payload: { code: 'invalid-response', message: `deposit-create-p2p for p2p_imps lacks ${missing}` },
      },
    ]);
    await user.click(screen.getByRole('button', { name: 'All methods' }));
    await pass(0);
    expect(address()).toBe('/deposit');
    expect(services.requestsOf('deposit-cancel')).toEqual([{ depositId, paymentMethod: 'p2p_imps' }]);
  });
});

describe('[DEP-11] following the payment', () => {
  test('it polls every five seconds until the payment has ended', async () => {
    const { asked, pass, serverSays, address } = await open();
    const before = asked();
    await pass(4999);
    expect(asked()).toBe(before);
    await pass(1);
    expect(asked()).toBe(before + 1);
    await pass(5000);
    expect(asked()).toBe(before + 2);
    serverSays({ remoteStatus: 'PAYED' });
    await pass(5000);
    expect(address()).toBe(complete);
    expect(screen.queryByText('Payment completed')).toBeNull();
  });

  test('an expiry reported by the server is shown as the end of the time', async () => {
    const { pass, serverSays } = await open();
    serverSays({ status: 2, reason: 'transaction.reason.expired' });
    await pass(5000);
    expect(screen.getByText('The time to pay has run out')).toBeVisible();
  });

  test.each(['CANCELED', 'AUTO_CANCELED'])('%s ends it, and is no success', async (remoteStatus) => {
    const { pass, serverSays } = await open();
    serverSays({ remoteStatus });
    await pass(5000);
    expect(screen.getByText('This deposit is closed')).toBeVisible();
    expect(screen.getByText('If you have already paid, do not pay again.')).toBeVisible();
    expect(paid()).toBeNull();
  });

  test('a push makes it ask, and alone changes nothing', async () => {
    const { services, asked, pass, address } = await open();
    const before = asked();
    act(() => services.push('deposit.status', report(5, { status: 1 })));
    await pass(0);
    expect(asked()).toBe(before + 1);
    expect(address()).toContain('/invoice');
  });

  test('after it has left no timer is pending', async () => {
    const { services, pass, serverSays } = await open();
    serverSays({ status: 1 });
    await pass(5000);
    await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) ?? document.body);
    await pass(1500);
    cleanup();
    expect(services.clock.pending()).toBe(0);
  });
});

describe('[DEP-11] the end of the time', () => {
  test('cancels once, hides Paid and says not to pay again', async () => {
    const { services, pass } = await open();
    await pass(899_000);
    expect(paid()).toBeVisible();
    await pass(1000);
    expect(services.requestsOf('deposit-cancel')).toEqual([{ depositId, paymentMethod: 'p2p_imps' }]);
    expect(screen.getByText('The time to pay has run out')).toBeVisible();
    expect(screen.getByText('If you have already paid, do not pay again.')).toBeVisible();
    expect(paid()).toBeNull();
    await pass(60_000);
    expect(services.requestsOf('deposit-cancel')).toHaveLength(1);
  });

  test('a clock that jumps ahead cancels nothing: the server’s time counts', async () => {
    const { services, pass } = await open();
    // The device’s clock is set forward; the server goes on as before.
    services.answer('deposit-status', report(60));
    services.clock.skew(3_600_000);
    await pass(5000);
    expect(services.requestsOf('deposit-cancel')).toEqual([]);
  });

  test('a payment in the last second beats the cancel, and a late payment is shown', async () => {
    const notCancelled = { depositId, isCancelled: false, transaction: report(900, { remoteStatus: 'PAYED' }) };
    const first = await open({ more: { 'deposit-cancel': notCancelled } });
    await first.pass(900_000);
    expect(first.address()).toBe(complete);
  });

  test('a payment after the end is shown', async () => {
    const { services, pass, serverSays, address } = await open();
    await pass(900_000);
    expect(screen.getByText('The time to pay has run out')).toBeVisible();
    serverSays({ status: 3, isLate: true });
    act(() => services.push('deposit.status', report(950, { status: 3, isLate: true })));
    await pass(0);
    expect(address()).toBe(complete);
    await pass(0);
    expect(screen.getByText('The payment arrived late')).toBeVisible();
  });

  test('after an unanswered cancel the payment is shown as being checked', async () => {
    const { pass, serverSays, address } = await open({ more: { 'deposit-cancel': lost } });
    await pass(900_000);
    expect(screen.getByText('We are checking whether your payment has arrived.')).toBeVisible();
    serverSays({ remoteStatus: 'PAYED' });
    await pass(5000);
    expect(address()).toBe(complete);
  });
});

describe('[DEP-11] the buttons "cancel" and "I have paid"', () => {
  const cancel = async () => {
    await user.click(screen.getByRole('button', { name: 'Cancel deposit' }));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel deposit' }));
  };

  test('a cancel needs a confirmation', async () => {
    const { services, pass } = await open();
    await cancel();
    await pass(0);
    expect(services.requestsOf('deposit-cancel')).toEqual([{ depositId, paymentMethod: 'p2p_imps' }]);
    expect(screen.getByText('The deposit was cancelled')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Start a new deposit' }));
  });

  test('a cancel that the server refuses leaves the invoice and says so', async () => {
    const { pass } = await open({ more: { 'deposit-cancel': { depositId, isCancelled: false } } });
    await cancel();
    await pass(0);
    expect(screen.getByText(/can no longer be cancelled/)).toBeVisible();
    expect(paid()).toBeVisible();
  });

  test.each([
    ['network', 'No connection. Your request was not sent. Try again.'],
    // The server may have cancelled it.
    ['unknown', 'No connection right now. If you have already paid, do not pay again. Press the button again.'],
  ] as const)('a cancel whose answer is lost (%s) claims no more than is known', async (kind, words) => {
    const failure = new ClientError({ kind, code: 'socket.networkError', status: 0, message: 'lost' });
    const { pass } = await open({ more: { 'deposit-cancel': () => Promise.reject(failure) } });
    await cancel();
    await pass(0);
    expect(screen.getByText(words)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Cancel deposit' })).toBeEnabled();
  });

  test('"I have paid" is reported to the server, and its answer is shown', async () => {
    const { services, pass, address } = await open();
    await user.click(screen.getByRole('button', { name: 'I have paid' }));
    await pass(0);
    expect(services.requestsOf('deposit-complete')).toEqual([{ depositId, paymentMethod: 'p2p_imps' }]);
    expect(address()).toBe(complete);
  });
});

describe('[FORM-10] the number of the receipt', () => {
  const method = p2pMethod({ name: 'bkash_p2p', flags: { p2p: true, confirmationId: true } });
  const number = () => screen.getByRole('textbox', { name: 'Transaction ID' });

  test.each(['1234567', '12345678901', '1234567a', '١٢٣٤٥٦٧'])(
    '%s keeps Paid disabled and is explained',
    async (typed) => {
      const { services } = await open({ method });
      await user.type(number(), typed);
      await user.tab();
      expect(paid()).toHaveAttribute('aria-disabled', 'true');
      expect(screen.getByText('Enter the 8 to 10 digits from your receipt')).toBeVisible();
      expect(services.requestsOf('deposit-complete')).toEqual([]);
    },
  );

  test.each([
    ['12345678', '12345678'],
    ['123456789', '123456789'],
    [' 1234567890 ', '1234567890'],
    ['১২৩৪৫৬৭৮', '12345678'],
  ])('%s is sent as %s', async (typed, confirmationId) => {
    const { services, pass } = await open({ method });
    expect(paid()).toHaveAttribute('aria-disabled', 'true');
    await user.type(number(), typed);
    await user.click(screen.getByRole('button', { name: 'I have paid' }));
    await pass(0);
    expect(services.requestsOf('deposit-complete')).toEqual([
      { depositId, paymentMethod: 'bkash_p2p', confirmationId },
    ]);
  });

  test('"I have paid" without the number sends nothing and focuses the missing number', async () => {
    const { services, pass } = await open({ method });
    const words = 'Enter the 8 to 10 digits from your receipt';
    expect(screen.queryByText(words)).toBeNull();
    for (const typed of ['', '1234567']) {
      if (typed !== '') await user.type(number(), typed);
      await user.click(screen.getByRole('button', { name: 'I have paid' }));
      await pass(0);
      expect(number()).toHaveFocus();
      expect(number()).toBeInvalid();
      expect(number()).toHaveAccessibleDescription(expect.stringContaining(words));
      expect(services.requestsOf('deposit-complete')).toEqual([]);
    }
    await user.type(number(), '8');
    expect(screen.queryByText(words)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'I have paid' }));
    await pass(0);
    expect(services.requestsOf('deposit-complete')).toMatchObject([{ confirmationId: '12345678' }]);
  });

  test('other methods do not ask for it', async () => {
    await open();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(paid()).toBeEnabled();
    expect(paid()).not.toHaveAttribute('aria-disabled');
  });
});
