// @vitest-environment jsdom
import type { PaymentMethod } from '@opencashier/contract/api';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { cardMethod } from '../../kit/method/catalogue-fixture.ts';
import { card } from './redirect-fixture.ts';
import { amount, created, fakeWindow, fault, noAnswer, openRedirect, pay, refused } from './redirect-page-fixture.ts';

const user = userEvent.setup();

let opened: ReturnType<typeof fakeWindow>;

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  sessionStorage.clear();
  opened = fakeWindow();
  vi.spyOn(window, 'open').mockImplementation(() => opened as unknown as Window);
});

test('[DEP-4] the page has the method, its guide, an amount with limits and a Deposit button that names the amount', async () => {
  await openRedirect({});
  expect(screen.getByRole('heading', { name: 'Bank card' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Guide' })).toHaveAttribute(
    'href',
    '/cashier/deposit/video-instruction?method=bank_card',
  );
  expect(amount()).toHaveAccessibleDescription('From ⁨₹500⁩ to ⁨₹1,00,000⁩');
  expect(pay()).toHaveAccessibleName('Deposit');
  await user.type(amount(), '1500');
  expect(pay()).toHaveAccessibleName('Deposit ⁨₹1,500.00⁩');
});

test.each<[Partial<PaymentMethod>, string]>([
  [{}, 'You will confirm on the payment page'],
  [{ flags: { noNewWindow: true } }, 'Next, you will see how to pay'],
])('[DEP-4] what comes next is said: %o', async (more, text) => {
  await openRedirect({}, card(more));
  expect(screen.getByText(text)).toBeVisible();
});

test('[DEP-4] a fee of the method and what reaches the balance are shown before the user pays', async () => {
  await openRedirect({}, card({ fees: { INR: { percent: '1.5', min: '10' } } }));
  expect(await screen.findByText('1.5%')).toBeVisible();
  await user.type(amount(), '2000');
  expect(screen.getByText('₹30.00')).toBeVisible();
  expect(screen.getByText('₹1,970.00')).toBeVisible();
});

test('[DEP-4] a guide that is no web address is not offered', async () => {
  await openRedirect({}, card({ video_guide_url: 'javascript:alert(1)' }));
  expect(screen.queryByRole('link', { name: 'Guide' })).toBeNull();
});

test('[DEP-1] [DEP-2] the window opens within the tap, then the create call, then the provider’s page and the complete screen', async () => {
  let answer: (value: unknown) => void = () => undefined;
  const { creations, address, pass, services } = await openRedirect({
    'deposit-create': () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  await user.type(amount(), '1500');
  await pass(500);
  await user.click(pay());
  expect(window.open).toHaveBeenCalledTimes(1);
  expect(opened.opener).toBeNull();
  expect(opened.location.replace).not.toHaveBeenCalled();
  const [request] = creations();
  const depositId = String(request?.['depositId']);
  expect(request).toEqual({
    amount: '1500',
    currency: 'INR',
    depositId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    fields: {},
    isActivatedBonus: false,
    paymentSessionId: 'session-1',
    paymentType: 'bank_card',
    returnUrl: `http://localhost:3000/cashier/returned?depositId=${depositId}&locale=en`,
    selectedCountry: 'IN',
    metadata: { isFromChip: false },
    abTestGroup: 'group_a',
  });
  answer(created()({ depositId }));
  await pass(0);
  expect(opened.location.replace).toHaveBeenCalledWith('https://pay.example/p/1');
  expect(address()).toBe(`/deposit/complete?depositId=${depositId}&method=bank_card`);
  expect(services.metrics).toContainEqual(['deposit.create', 'ok']);
});

test('[DEP-1] [SRV-4] while another account is asked, the page says so, and only about this deposit', async () => {
  const { creations, pass, services } = await openRedirect({
    'deposit-create': () => new Promise(() => undefined),
  });
  const push = (depositId: string, notice: string): void =>
    act(() =>
      services.push('deposit.status', {
        depositId,
        paymentMethod: 'bank_card',
        status: 0,
        amount: '1500.00',
        currency: 'INR',
        created: '2026-01-15T10:00:00.000Z',
        serverTime: '2026-01-15T10:00:00.000Z',
        notice,
      }),
    );
  await user.type(amount(), '1500');
  await user.click(pay());
  await pass(0);
  expect(screen.getByText('Preparing your payment…')).toBeVisible();
  push('01890a5d-ac96-774b-bcce-b302099a8057', 'About another deposit.');
  expect(screen.getByText('Preparing your payment…')).toBeVisible();
  push(String(creations()[0]?.['depositId']), 'Trying another way. Nothing was charged.');
  expect(screen.getByText('Trying another way. Nothing was charged.')).toBeVisible();
  expect(amount()).toHaveValue('1,500');
});

test('[DEP-2] a blocked window leaves a visible link to the provider', async () => {
  vi.mocked(window.open).mockReturnValue(null);
  const { address, pass } = await openRedirect({ 'deposit-create': created() });
  await user.type(amount(), '1500');
  await user.click(pay());
  await pass(0);
  const link = screen.getByRole('link', { name: 'Open payment page' });
  expect(link).toHaveAttribute('href', 'https://pay.example/p/1');
  expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  await user.click(link);
  await pass(0);
  expect(address()).toContain('/deposit/complete?depositId=');
});

test('[DEP-2] no window for a method that says so', async () => {
  const { pass } = await openRedirect({ 'deposit-create': created() }, card({ flags: { noNewWindow: true } }));
  await user.type(amount(), '1500');
  await user.click(pay());
  await pass(0);
  expect(window.open).not.toHaveBeenCalled();
});

test.each([
  ['an app’s own page opens none', window, 0],
  ['a framed one does, whatever platform is named: a bank’s page stands in no frame', {} as Window, 1],
])('[DEP-2] [HOST-13] %s', async (_, parent, windows) => {
  vi.spyOn(window, 'parent', 'get').mockReturnValue(parent);
  const { pass } = await openRedirect({ 'deposit-create': noAnswer }, card(), true);
  await user.type(amount(), '1500');
  await user.click(pay());
  await pass(0);
  expect(window.open).toHaveBeenCalledTimes(windows);
});

test('[DEP-1] an amount outside the limits shows an error in place, creates nothing and loses nothing', async () => {
  const { creations } = await openRedirect({ 'deposit-create': created() });
  await user.type(amount(), '20');
  await user.click(pay());
  expect(screen.getByText('The minimum amount is ⁨₹500⁩')).toBeVisible();
  await waitFor(() => expect(amount()).toHaveFocus());
  expect(amount()).toHaveAttribute('aria-invalid', 'true');
  expect(amount()).toHaveValue('20');
  expect(creations()).toEqual([]);
  expect(window.open).not.toHaveBeenCalled();
});

test('[DEP-1] the method’s own fields are checked and sent with the prefix of the phone', async () => {
  const { creations, pass } = await openRedirect({ 'deposit-create': created() }, cardMethod);
  const phone = screen.getByRole('textbox', { name: 'Phone' });
  await user.type(phone, '+98765');
  expect(phone).toHaveValue('98765');
  await user.click(pay());
  expect(screen.getByText('Enter all 10 digits of your number')).toBeVisible();
  expect(creations()).toEqual([]);
  await user.type(phone, '43210');
  await user.click(pay());
  await pass(0);
  expect(creations()[0]).toMatchObject({ amount: '1500.00', fields: { phone: '+919876543210' } });
});

describe('[DEP-16] one deposit', () => {
  test('a double click sends one call', async () => {
    const { creations } = await openRedirect({});
    await user.type(amount(), '1500');
    await user.dblClick(pay());
    expect(creations()).toHaveLength(1);
    expect(pay()).toHaveAttribute('aria-disabled', 'true');
  });

  test('the key is stored before the call, and a reload sends the same intent under it', async () => {
    let stored: string | null = null;
    const first = await openRedirect({
      'deposit-create': () => {
        stored = localStorage.getItem('cashier.deposit');
        return new Promise(() => undefined);
      },
    });
    await user.type(amount(), '1500');
    await user.click(pay());
    const depositId = first.creations()[0]?.['depositId'];
    expect(stored).toContain(String(depositId));
    document.body.replaceChildren();
    const second = await openRedirect({});
    await user.type(amount(), '1500.00');
    await user.click(pay());
    expect(second.creations()[0]?.['depositId']).toBe(depositId);
  });

  test('another amount is another deposit', async () => {
    const first = await openRedirect({ 'deposit-create': refused('provider-error', 502) });
    await user.type(amount(), '1500');
    await user.click(pay());
    await first.pass(0);
    await user.type(amount(), '0');
    await user.click(pay());
    const [one, two] = first.creations();
    expect(two?.['amount']).toBe('15000');
    expect(two?.['depositId']).not.toBe(one?.['depositId']);
  });
});

test('[DEP-16] without an answer it is being checked: no error, no second payment, and the status is asked', async () => {
  const { creations, services, pass } = await openRedirect({ 'deposit-create': noAnswer, 'deposit-status': noAnswer });
  await user.type(amount(), '1500');
  await user.click(pay());
  await pass(0);
  expect(screen.getByText('Your payment is being checked')).toBeVisible();
  expect(screen.getByText('Please do not pay again.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Deposit/ })).toBeNull();
  expect(fault()).toBeNull();
  await pass(5000);
  expect(services.requestsOf('deposit-status').length).toBeGreaterThan(1);
  expect(creations()).toHaveLength(1);
});

test('[DEP-7] [ERR-4] a refusal closes the window, says why, and is measured', async () => {
  const { services, pass } = await openRedirect({ 'deposit-create': refused('method-unavailable', 422) });
  await user.type(amount(), '1500');
  await user.click(pay());
  await pass(0);
  expect(opened.close).toHaveBeenCalled();
  expect(fault()).toHaveTextContent('This method is not available right now. Choose another one.');
  expect(services.metrics).toContainEqual(['deposit.create', 'fail']);
  expect(amount()).toHaveValue('1,500');
  await pass(60_000);
  expect(fault()).toBeVisible();
});

test('[NET-3] a press while the device is offline says so beside the button, starts no call and keeps what is typed', async () => {
  const { creations, pass } = await openRedirect({ 'deposit-create': created() });
  await user.type(amount(), '1500');
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await user.click(pay());
  expect(screen.getByText('No connection. Your request was not sent. Try again.')).toBeVisible();
  await pass(0);
  expect(creations()).toHaveLength(0);
  expect(window.open).not.toHaveBeenCalled();
  expect(amount()).toHaveValue('1,500');
  onLine.mockReturnValue(true);
  await user.click(pay());
  await pass(0);
  expect(screen.queryByText('No connection. Your request was not sent. Try again.')).toBeNull();
  expect(creations()).toHaveLength(1);
});

test('[DEP-16] being checked names amount, method and the number to copy', async () => {
  const { creations, pass } = await openRedirect({ 'deposit-create': noAnswer, 'deposit-status': noAnswer });
  await user.type(amount(), '1500');
  await user.click(pay());
  await pass(0);
  expect(screen.getByText('Your payment is being checked')).toBeVisible();
  const line = (title: string) => screen.getByText(title, { selector: 'dt' }).nextElementSibling;
  expect(line('Amount')).toHaveTextContent('₹1,500.00');
  expect(line('Method')).toHaveTextContent('Bank card');
  await user.click(screen.getByRole('button', { name: 'Copy: Payment ID' }));
  expect(await navigator.clipboard.readText()).toBe(creations()[0]?.['depositId']);
});

test('a field that the server refuses is marked in place until it is changed', async () => {
  const answer = refused('banking.paymentMethodRegex', 422, [{ path: 'fields.phone', message: 'no' }]);
  const { pass } = await openRedirect({ 'deposit-create': answer }, cardMethod);
  const phone = screen.getByRole('textbox', { name: 'Phone' });
  await user.type(phone, '9876543210');
  await user.click(pay());
  await pass(0);
  expect(phone).toHaveAccessibleDescription('This was not accepted. Check what you entered.');
  await user.type(phone, '{Backspace}1');
  expect(phone).not.toHaveAttribute('aria-invalid');
});

test('[DEP-8] the time from the methods to the first Deposit is measured once', async () => {
  const { services, pass } = await openRedirect({ 'deposit-create': refused('provider-error', 502) });
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await pass(0);
  await pass(3000);
  await user.click(screen.getByRole('button', { name: 'Bank card' }));
  await pass(0);
  await user.type(await screen.findByRole('textbox', { name: 'Amount' }), '1500');
  await user.click(pay());
  await pass(4000);
  await user.click(pay());
  await pass(0);
  expect(services.metrics.filter(([key]) => key === 'deposit.delay_ms')).toEqual([['deposit.delay_ms', 3000]]);
});

describe('[DEP-9] closing while a deposit is created', () => {
  test('sends one notice, tells the host, and the creation is not cancelled', async () => {
    const { services } = await openRedirect({ 'session-form-on-close-modal': {} });
    await user.type(amount(), '1500');
    await user.click(pay());
    services.closeFromHost();
    expect(services.requestsOf('session-form-on-close-modal')).toHaveLength(1);
    services.closeFromHost();
    window.dispatchEvent(new Event('pagehide'));
    expect(services.requestsOf('session-form-on-close-modal')).toEqual([
      { paymentMethod: 'bank_card', paymentMethodText: 'Bank card', userId: 'user-1' },
    ]);
    expect(services.posted).toContainEqual({ messageType: 'close', payload: {} });
    expect(services.requestsOf('deposit-cancel')).toEqual([]);
  });

  test('without a creation there is no notice', async () => {
    const { services } = await openRedirect({});
    services.closeFromHost();
    expect(services.requestsOf('session-form-on-close-modal')).toEqual([]);
  });
});

test('what was typed is still there after going to the list and back', async () => {
  const { pass } = await openRedirect({});
  await user.type(amount(), '2750.5');
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await pass(0);
  await user.click(screen.getByRole('button', { name: 'Bank card' }));
  await pass(0);
  expect(await screen.findByRole('textbox', { name: 'Amount' })).toHaveValue('2,750.5');
});

test('[AMT-7] half a second without typing opens a session for the amount', async () => {
  const { services, pass } = await openRedirect({});
  await user.type(amount(), '7');
  await pass(499);
  await user.type(amount(), '50');
  await pass(499);
  expect(services.requestsOf('session-start')).toEqual([]);
  await pass(1);
  expect(services.requestsOf('session-start')).toEqual([{ amount: '750.00', currency: 'INR' }]);
});

test('[AMT-5] a chip fills in the amount, and the call says that it came from one', async () => {
  const { creations, pass } = await openRedirect({ 'deposit-create': created() });
  await user.click(screen.getByRole('button', { name: '₹3,000' }));
  expect(amount()).toHaveValue('3,000');
  expect(screen.getByRole('button', { name: '₹3,000' })).toHaveAttribute('aria-pressed', 'true');
  await user.click(pay());
  await pass(0);
  expect(creations()[0]).toMatchObject({ amount: '3000', metadata: { isFromChip: true } });
});

test('[ERR-5] [DEP-1] a method that asks for a captcha creates nothing without one', async () => {
  const { creations, pass } = await openRedirect({ 'deposit-create': created() }, card({ flags: { captcha: true } }));
  await user.type(amount(), '1500');
  await user.click(pay());
  await waitFor(() => expect(fault()).toBeVisible());
  await pass(0);
  expect(creations()).toEqual([]);
  expect(window.open).not.toHaveBeenCalled();
});
