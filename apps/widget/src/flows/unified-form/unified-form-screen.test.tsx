// @vitest-environment jsdom
import type { DepositData } from '@opencashier/contract/api';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import {
  connectionLost,
  paymentId,
  paymentMethod,
  paymentReport,
  paymentServices,
  refusal,
} from '../../kit/payment/payment-fixture.ts';
import { created, data, path } from './unified-form-fixture.ts';
import { open } from './unified-form-page-fixture.ts';

const user = userEvent.setup();
const day = 86_400_000;

const complete = `/deposit/complete?depositId=${paymentId}&method=bank_card`;

const paid = () => screen.queryByRole('button', { name: 'I have paid' });
const timer = () => screen.getByRole('timer', { name: 'Time left' });

beforeEach(() => {
  window.scrollTo = () => undefined;
  vi.spyOn(window, 'open').mockReturnValue(null);
  localStorage.clear();
  sessionStorage.clear();
});

test('[DEP-3] [DEP-5] the answer of a create leads to the page that shows it, without another question', async () => {
  const services = paymentServices(null);
  services.answer('deposit-create', ({ depositId }: { depositId: string }) => ({ apiResponse: { depositId, data } }));
  services.answer('deposit-status', refusal('not-found', 404));
  const { address, pass } = await openWidget('/deposit/redirect/bank_card', services);
  await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1500');
  await user.click(screen.getByRole('button', { name: /^Deposit/ }));
  await pass(0);
  expect(address()).toMatch(/^\/deposit\/redirect\/bank_card\/unified-form\?depositId=[0-9a-f-]{36}$/);
  expect(screen.getByText('Transfer exactly')).toBeVisible();
  expect(services.requestsOf('deposit-create')).toHaveLength(1);
});

test('[DEP-5] shows the amount, the payee, the ordered steps and the time left', async () => {
  await open();
  expect(screen.getByText('₹1,503.20')).toBeVisible();
  const rows = screen.getAllByRole('term').map(({ textContent }) => textContent);
  expect(rows).toEqual(['Card number', 'Recipient']);
  expect(screen.getByText('4276 3800 1234 5678')).toBeVisible();
  expect(screen.getByText('4276 3800 1234 5678')).toHaveAttribute('dir', 'ltr');
  const steps = within(screen.getByRole('list', { name: 'How to pay' })).getAllByRole('listitem');
  expect(steps.map(({ textContent }) => textContent)).toEqual(['Open your bank’s app.', 'Send exactly ⁨₹1,503.20⁩.']);
  expect(timer()).toHaveTextContent('10:00');
  expect(screen.getByText('A different amount or a late transfer cannot be matched to your deposit.')).toBeVisible();
});

test('[DEP-5] an instruction may be one text', async () => {
  await open({ instruction: { text: 'Call your bank.\nThen wait.' } });
  expect(screen.getByText(/Call your bank/)).toHaveTextContent('Call your bank. Then wait.');
});

describe('[DEP-5] [UI-3] the time to pay', () => {
  test('counts from the creation, for its lifetime or 600 s', async () => {
    const { pass } = await open({ created: new Date(Date.parse(created) - 60_000).toISOString() });
    expect(timer()).toHaveTextContent('09:00');
    await pass(28_000);
    expect(timer()).toHaveTextContent('08:32');
  });

  test.each([day, -day])('a device whose clock is %i ms off shows the same', async (skew) => {
    const services = paymentServices({ ...data, lifetime: 900 });
    const { clock } = services;
    services.answer('deposit-status', paymentReport(services));
    clock.skew(skew);
    Object.assign(services.api, { serverOffsetMs: () => -skew });
    const { pass } = await openWidget(path, services);
    await pass(28_000);
    expect(timer()).toHaveTextContent('14:32');
    expect(paid()).toBeVisible();
  });

  test.each([day, -day])(
    'a clock that is set by %i ms while one looks is put right by the server’s next word',
    async (jump) => {
      const services = paymentServices({ ...data, lifetime: 900 });
      const { clock } = services;
      const report = paymentReport(services);
      services.answer('deposit-status', report);
      const { pass } = await openWidget(path, services);
      clock.skew(jump);
      await pass(1000);
      expect(timer()).toHaveTextContent(jump > 0 ? '00:00' : '15:00');
      Object.assign(services.api, { serverOffsetMs: () => -jump });
      await pass(1000);
      expect(timer()).toHaveTextContent('14:58');
      expect(paid()).toBeVisible();
      await pass(2000);
      expect(timer()).toHaveTextContent('14:56');
    },
  );

  test('at the end "I have paid", the code and the link disappear; the screen says not to pay and leads to the status', async () => {
    const { pass, address } = await open({
      lifetime: 90,
      qrCodeText: 'SBX12345678',
      buttonPay: 'https://pay.example/p',
    });
    expect(paid()).toBeVisible();
    await pass(89_000);
    expect(paid()).toBeVisible();
    await pass(1000);
    expect(paid()).toBeNull();
    expect(screen.queryByRole('img', { name: 'QR code for this payment' })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Open payment page' })).toBeNull();
    expect(screen.getByText(/Do not pay now/)).toBeVisible();
    expect(timer()).toHaveTextContent('00:00');
    await user.click(screen.getByRole('button', { name: 'See status' }));
    await pass(0);
    expect(address()).toBe(complete);
  });

  test('[UI-3] is announced at the start, at 5 minutes, 1 minute, 30 and 10 seconds and at the end, and not each second', async () => {
    const { pass } = await open({ lifetime: 600 });
    const heard = () => {
      const regions = screen.getAllByRole('status').map(({ textContent }) => textContent ?? '');
      return regions.find((text) => /^(?:Time left to pay|The time to pay)/.test(text));
    };
    const all = [heard()];
    for (let tens = 0; tens < 60; tens += 1) {
      await pass(10_000);
      if (heard() !== all.at(-1)) all.push(heard());
    }
    expect(all).toEqual([
      'Time left to pay: 10 minutes',
      'Time left to pay: 5 minutes',
      'Time left to pay: 1 minute',
      'Time left to pay: 30 seconds',
      'Time left to pay: 10 seconds',
      'The time to pay has run out.',
    ]);
  });

  test('without the provider’s timing the server’s own is counted', async () => {
    const services = paymentServices({ ...data, created: 'soon' });
    services.answer('deposit-status', paymentReport(services, { lifetime: 300 }));
    const { pass } = await openWidget(path, services);
    await pass(0);
    expect(timer()).toHaveTextContent('05:00');
  });
});

describe('[DEP-5] Paid', () => {
  test.each([[['cancel']], [[]]])('is not offered when the buttons are %j', async (buttons) => {
    await open({ buttons });
    expect(paid()).toBeNull();
    expect(screen.getByText('Transfer exactly')).toBeVisible();
  });

  test('is offered when complete is among the buttons', async () => {
    await open({ buttons: ['complete'] });
    expect(paid()).toBeVisible();
  });

  test('tells the server once and shows the status', async () => {
    const { services, address, pass } = await open({}, { answers: { 'deposit-complete': {} } });
    await user.dblClick(screen.getByRole('button', { name: 'I have paid' }));
    await pass(0);
    expect(services.requestsOf('deposit-complete')).toEqual([{ depositId: paymentId, paymentMethod: 'bank_card' }]);
    expect(address()).toBe(complete);
    expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent('Your payment is being checked');
  });

  test('that never reached the server can be pressed again; one that was refused leads to the status', async () => {
    const { services, address, pass } = await open({}, { answers: { 'deposit-complete': connectionLost } });
    await user.click(screen.getByRole('button', { name: 'I have paid' }));
    await pass(0);
    expect(address()).toContain('/unified-form');
    // The money may have been sent, and so may this word of it.
    const words = 'No connection right now. If you have already paid, do not pay again. Press the button again.';
    expect(within(screen.getByRole('main')).getByRole('alert')).toHaveTextContent(words);
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await user.click(screen.getByRole('button', { name: 'I have paid' }));
    expect(within(screen.getByRole('main')).getByRole('alert')).toHaveTextContent(words);
    onLine.mockRestore();
    services.answer('deposit-complete', refusal('state-conflict', 409));
    await user.click(screen.getByRole('button', { name: 'I have paid' }));
    await pass(0);
    expect(address()).toBe(complete);
  });

  test.each([
    ['unauthorized', 401, 'Your session has expired. Open the cashier again.'],
    ['forbidden-origin', 403, 'If you have already paid, do not pay again. Contact support.'],
    ['rate-limited', 429, 'Too many attempts. Wait a minute and try again.'],
    ['temporarily-unavailable', 503, 'No connection right now. If you have already paid, do not pay again.'],
  ])(
    '[DEP-5] that the server refuses with %s stays here, and does not claim that it was told',
    async (code, status, words) => {
      const { address, pass } = await open({}, { answers: { 'deposit-complete': refusal(code, status) } });
      await user.click(screen.getByRole('button', { name: 'I have paid' }));
      await pass(0);
      expect(address()).toContain('/unified-form');
      expect(within(screen.getByRole('main')).getByRole('alert')).toHaveTextContent(words);
      expect(paid()).toBeEnabled();
    },
  );

  test('[DEP-5] for a deposit that has changed shows its status, without the claim that it was told', async () => {
    const { address, pass } = await open({}, { answers: { 'deposit-complete': refusal('state-conflict', 409) } });
    await user.click(screen.getByRole('button', { name: 'I have paid' }));
    await pass(0);
    expect(address()).toBe(complete);
    expect(screen.queryByText(/You told us that you have paid/)).toBeNull();
  });

  test('requires the number of the receipt first if the answer does', async () => {
    const inputFields: DepositData['inputFields'] = [
      {
        name: 'confirmationId',
        type: 'text',
        props: { label: 'Receipt', validations: [{ regex: '^\\d{8,10}$', message: '8 to 10 digits' }] },
      },
    ];
    const { services, pass } = await open({ inputFields }, { answers: { 'deposit-complete': {} } });
    await user.click(screen.getByRole('button', { name: 'I have paid' }));
    await pass(0);
    expect(services.requestsOf('deposit-complete')).toEqual([]);
    await user.type(screen.getByRole('textbox', { name: 'Receipt' }), '12345678');
    await user.click(screen.getByRole('button', { name: 'I have paid' }));
    await pass(0);
    expect(services.requestsOf('deposit-complete')).toMatchObject([{ confirmationId: '12345678' }]);
  });
});

test('[CRY-1] copying takes the bare number and says so for three seconds', async () => {
  const { pass } = await open();
  await user.click(screen.getByRole('button', { name: 'Copy: Card number' }));
  await pass(0);
  expect(await navigator.clipboard.readText()).toBe('4276380012345678');
  expect(screen.getByText('Copied')).toBeVisible();
  await pass(2999);
  expect(screen.getByText('Copied')).toBeVisible();
  await pass(1);
  expect(screen.queryByText('Copied')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Copy: Amount' }));
  expect(await navigator.clipboard.readText()).toBe('1503.20');
});

test('a clipboard that may not be written says so', async () => {
  const { pass } = await open();
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'));
  await user.click(screen.getByRole('button', { name: 'Copy: Recipient' }));
  await pass(0);
  expect(screen.getByText(/Could not copy/)).toBeVisible();
});

describe('[DEP-5] the QR code', () => {
  test('is drawn from its text, which can be copied', async () => {
    const { pass } = await open({ qrCodeText: 'SBX12345678' });
    await vi.waitFor(async () => {
      await pass(0);
      expect(screen.getByRole('img', { name: 'QR code for this payment' }).tagName).toBe('svg');
    });
    expect(screen.getByText('SBX12345678')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Copy: Payment code' })).toBeVisible();
  });

  test('is the provider’s picture where there is no text', async () => {
    await open({ qrDataURL: 'data:image/png;base64,AAAA' });
    expect(screen.getByRole('img', { name: 'QR code for this payment' })).toHaveAttribute(
      'src',
      'data:image/png;base64,AAAA',
    );
  });
});

test.each([1, 2, 3])('a payment that has moved to %i shows its status', async (status) => {
  const { services, address, pass } = await open();
  services.answer(
    'deposit-status',
    paymentReport(services, { status, serverTime: new Date(Date.now() + day).toISOString() }),
  );
  await pass(2000);
  await pass(0);
  expect(address()).toBe(complete);
});

describe('cancelling', () => {
  test('asks first, and warns a user who has already paid', async () => {
    const { services, address, pass } = await open(
      {},
      { answers: { 'deposit-cancel': { depositId: paymentId, isCancelled: true } } },
    );
    await user.click(screen.getByRole('button', { name: 'Cancel deposit' }));
    const sheet = within(screen.getByRole('dialog', { name: 'Cancel this deposit?' }));
    expect(sheet.getByText(/If you have already sent the money, do not cancel/)).toBeVisible();
    await user.click(sheet.getByRole('button', { name: 'Keep deposit' }));
    expect(services.requestsOf('deposit-cancel')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Cancel deposit' }));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel deposit' }));
    await pass(0);
    expect(services.requestsOf('deposit-cancel')).toEqual([{ depositId: paymentId, paymentMethod: 'bank_card' }]);
    expect(address()).toBe('/deposit');
  });

  test('that the server did not carry out shows the status', async () => {
    const { address, pass } = await open(
      {},
      { answers: { 'deposit-cancel': { depositId: paymentId, isCancelled: false } } },
    );
    await user.click(screen.getByRole('button', { name: 'Cancel deposit' }));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel deposit' }));
    await pass(0);
    expect(address()).toBe(complete);
  });
});

describe('malformed answers', () => {
  test('HTML in texts is shown as text', async () => {
    const html = '<img src=x onerror=alert(1)><b>bold</b>';
    await open({
      requisites: [{ name: 'account', title: `Account ${html}`, value: html, isCopyable: true }],
      instruction: { text: html },
    });
    expect(document.querySelector('main b, main img')).toBeNull();
    expect(screen.getAllByText(html)).toHaveLength(2);
  });

  test.each(['javascript:alert(1)', 'http://pay.example', 'data:text/html,x', 'intent://x'])(
    'a link to %s is not offered',
    async (buttonPay) => {
      await open({ buttonPay });
      expect(screen.queryByRole('link')).toBeNull();
      expect(paid()).toBeVisible();
    },
  );

  test('a web link is offered, and opens without a way back into this page', async () => {
    await open({ buttonPay: 'https://pay.example/p' });
    const link = screen.getByRole('link', { name: 'Open payment page' });
    expect(link).toHaveAttribute('href', 'https://pay.example/p');
    expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  });

  test('an answer without a way to pay says so and offers a way to continue', async () => {
    await open({ requisites: [], instruction: { steps: [] } });
    expect(screen.getByText('Nothing to pay here')).toBeVisible();
    expect(screen.getByRole('button', { name: 'See status' })).toBeVisible();
  });

  test('an app’s link needs the method to declare its scheme', async () => {
    await open({ buttonPay: 'upi://pay?pa=shop@bank' }, { method: paymentMethod({ flags: { linkSchemes: ['upi'] } }) });
    const link = screen.getByRole('link', { name: 'Open payment page' });
    expect(link).toHaveAttribute('href', 'upi://pay?pa=shop@bank');
    expect(link).not.toHaveAttribute('target');
  });
});
