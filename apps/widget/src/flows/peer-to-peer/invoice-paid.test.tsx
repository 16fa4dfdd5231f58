// @vitest-environment jsdom
/** "I have paid" on the invoice when the server does not answer, or refuses (DEP-11). */
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { ClientError, type ClientErrorKind } from '../../api/client.ts';
import { openInvoicePage as open } from './invoice-fixture.ts';
import { depositId, p2pMethod, report } from './peer-to-peer-fixture.ts';

const user = userEvent.setup();
const complete = `/deposit/complete?depositId=${depositId}&method=p2p_imps`;
const paid = () => screen.queryByRole('button', { name: 'I have paid' });
const lost = () =>
  Promise.reject(new ClientError({ kind: 'network', code: 'socket.networkError', status: 0, message: 'lost' }));

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  sessionStorage.clear();
});

const unanswered = 'No connection right now. If you have already paid, do not pay again. Press the button again.';
const alert = () => within(screen.getByRole('main')).queryByRole('alert');
const pressPaid = async (pass: (ms: number) => Promise<void>) => {
  await user.click(screen.getByRole('button', { name: 'I have paid' }));
  await pass(0);
};
const failed = (kind: ClientErrorKind, code: string, status: number) => () =>
  Promise.reject(new ClientError({ kind, code, status, message: code }));

test.each([
  ['a lost connection', lost],
  ['an answer that did not arrive', failed('unknown', 'socket.networkError', 0)],
  ['an error of the server', failed('unknown', 'internal', 500)],
  ['a server that is not available', failed('refused', 'temporarily-unavailable', 503)],
  ['an error of the widget', () => Promise.reject(new TypeError('broken'))],
])('[DEP-11] %s never says "not sent" after Paid; the press can be repeated', async (_case, answer) => {
  const { services, pass, address } = await open({ more: { 'deposit-complete': answer } });
  await pressPaid(pass);
  expect(address()).toContain('/invoice');
  expect(alert()).toHaveTextContent(unanswered);
  expect(screen.queryByText(/not sent|Nothing was charged/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Cancel deposit' })).toBeNull();
  services.answer('deposit-complete', report(30, { remoteStatus: 'CREATED' }));
  await pressPaid(pass);
  const [first, second] = services.requestsOf('deposit-complete');
  expect(second).toEqual(first);
  expect(address()).toBe(complete);
});

test('[DEP-11] after an unanswered Paid the end of the time cancels nothing, and Paid can be repeated', async () => {
  const { services, pass, address } = await open({ more: { 'deposit-complete': lost } });
  await pressPaid(pass);
  await pass(910_000);
  expect(services.requestsOf('deposit-cancel')).toEqual([]);
  expect(screen.getByText('We are checking whether your payment has arrived.')).toBeVisible();
  expect(screen.getByText('If you have already paid, do not pay again.')).toBeVisible();
  services.answer('deposit-complete', report(930, { remoteStatus: 'CREATED' }));
  await pressPaid(pass);
  expect(address()).toBe(complete);
});

test.each([
  ['an unanswered Paid', lost],
  ['a refused Paid', failed('refused', 'rate-limited', 429)],
])('[DEP-11] [NAV-7] after %s a reload does not make the end of the time cancel', async (_case, answer) => {
  const { pass } = await open({ more: { 'deposit-complete': answer } });
  await pressPaid(pass);
  cleanup();
  const { services, pass: passAgain } = await open();
  await passAgain(910_000);
  expect(services.requestsOf('deposit-cancel')).toEqual([]);
  expect(screen.getByText('We are checking whether your payment has arrived.')).toBeVisible();
  // Nothing failed on this page, so it does not say that there is no connection.
  expect(screen.queryByText(unanswered)).toBeNull();
  expect(paid()).toBeVisible();
});

test('[DEP-11] [FORM-10] [NAV-7] after a reload and the end of the time, Paid can be repeated with the number of the receipt', async () => {
  const method = p2pMethod({ flags: { p2p: true, confirmationId: true } });
  const typeNumber = () => user.type(screen.getByRole('textbox', { name: 'Transaction ID' }), '12345678');
  const { pass } = await open({ method, more: { 'deposit-complete': lost } });
  await typeNumber();
  await pressPaid(pass);
  cleanup();
  const { services, pass: passAgain, address } = await open({ method });
  await passAgain(910_000);
  expect(screen.getByText('We are checking whether your payment has arrived.')).toBeVisible();
  // The number is nowhere stored, so it is asked for again.
  await pressPaid(passAgain);
  expect(services.requestsOf('deposit-complete')).toEqual([]);
  expect(screen.getByText('Enter the 8 to 10 digits from your receipt')).toBeVisible();
  await typeNumber();
  await pressPaid(passAgain);
  expect(services.requestsOf('deposit-complete')).toMatchObject([{ confirmationId: '12345678' }]);
  expect(services.requestsOf('deposit-cancel')).toEqual([]);
  expect(address()).toContain('/deposit/complete');
});

test('[DEP-11] [NET-3] Paid on a device without a network sends nothing, and the end of the time cancels nothing', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { services, pass } = await open();
  await pressPaid(pass);
  expect(services.requestsOf('deposit-complete')).toEqual([]);
  expect(alert()).toHaveTextContent(unanswered);
  onLine.mockRestore();
  await pass(910_000);
  expect(services.requestsOf('deposit-cancel')).toEqual([]);
});

test.each([
  ['unauthorized', 401, 'Your session has expired. Open the cashier again.'],
  ['forbidden-origin', 403, 'If you have already paid, do not pay again. Contact support.'],
  ['rate-limited', 429, 'Too many attempts. Wait a minute and try again.'],
])('[DEP-11] a Paid that the server refuses with %s says so, and claims nothing', async (code, status, words) => {
  const { pass, address } = await open({ more: { 'deposit-complete': failed('refused', code, status) } });
  await pressPaid(pass);
  expect(address()).toContain('/invoice');
  expect(alert()).toHaveTextContent(words);
  expect(paid()).toBeEnabled();
});

test('[DEP-11] Paid for a deposit that has changed shows its status, without the claim that it was told', async () => {
  const { pass, address } = await open({ more: { 'deposit-complete': failed('refused', 'state-conflict', 409) } });
  await pressPaid(pass);
  await pass(0);
  expect(address()).toBe(complete);
  expect(screen.queryByText(/You told us that you have paid/)).toBeNull();
});
