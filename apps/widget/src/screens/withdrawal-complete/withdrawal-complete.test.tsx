// @vitest-environment jsdom
import { act, cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { textMark } from '../../kit/idempotency/text-mark.ts';
import { connectionLost, refusal } from '../../kit/payment/payment-fixture.ts';
import { withdrawalId, withdrawalReport, withdrawalServices } from '../../kit/withdrawal/withdrawal-fixture.ts';

const user = userEvent.setup();
type More = Parameters<typeof withdrawalReport>[1];

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
});

function open(more: More | undefined, query = '') {
  const services = withdrawalServices();
  services.answer(
    'withdrawal-status',
    more === undefined ? () => new Promise(() => undefined) : withdrawalReport(services, more),
  );
  return openWidget(`/withdrawal/complete?withdrawalId=${withdrawalId}${query}`, services);
}
const title = () => screen.getByRole('heading', { level: 2 });

describe('[WD-3] what it says', () => {
  test.each([
    ['', 'Your withdrawal is on its way'],
    ['&status=processed', 'Your withdrawal is on its way'],
    ['&status=waiting', 'Your withdrawal is on its way'],
    ['&status=mistaked', 'The withdrawal did not go through'],
  ])(
    'before the server has said anything, %s: it starts accepted, and nothing is said about money',
    async (query, words) => {
      await open(undefined, query);
      expect(title()).toHaveTextContent(words);
      expect(screen.queryByText(/to your balance/)).toBeNull();
    },
  );

  test('the server’s report beats the address', async () => {
    await open({ status: 1 }, '&status=mistaked');
    expect(title()).toHaveTextContent('Paid out');
  });

  test.each([
    [3, undefined, 'Your withdrawal is on its way', /sent it to the payment provider/],
    [1, undefined, 'Paid out', /has sent your money/],
    [3, 'withdrawal.reason.late', 'We are reviewing this withdrawal', /do not withdraw again/],
    [1, 'withdrawal.reason.late', 'Paid out', /has sent your money/],
    [3, 'withdrawal.reason.approval', 'Waiting for approval', /^⁨₹1,000\.00⁩ is on hold/],
    [2, 'withdrawal.reason.unapproved', 'Not approved', /⁨₹1,000\.00⁩ was returned to your balance/],
    [2, undefined, 'The withdrawal did not go through', /^⁨₹1,000\.00⁩ was returned to your balance/],
    [2, 'withdrawal.reason.declined', 'The withdrawal was declined', /⁨₹1,000\.00⁩ was returned to your balance/],
    [2, 'withdrawal.reason.cancelled', 'Withdrawal cancelled', /⁨₹1,000\.00⁩ was returned to your balance/],
    [2, 'withdrawal.reason.expired', 'Not confirmed in time', /⁨₹1,000\.00⁩ was returned to your balance/],
    [2, 'withdrawal.reason.returned', 'The money was returned', /⁨₹1,000\.00⁩ was returned to your balance/],
    [2, 'withdrawal.reason.code', 'Too many wrong codes', /⁨₹1,000\.00⁩ was returned to your balance/],
  ])('%d %s', async (status, reason, words, text) => {
    await open({ status, ...(reason === undefined ? {} : { reason }) });
    expect(title()).toHaveTextContent(words);
    expect(screen.getByText(text)).toBeVisible();
    // A failed withdrawal took no fee and paid nothing out.
    expect(screen.queryByText('You receive') !== null, 'what is received').toBe(status !== 2);
    expect(screen.queryByText('₹981.67') !== null).toBe(status !== 2);
    expect(screen.queryByText('Fee') !== null, 'the fee').toBe(status !== 2);
  });

  test('an unknown outcome is being checked: neither failed nor paid, and not to be withdrawn again', async () => {
    await open({ status: 3, isOutcomeUnknown: true }, '&status=mistaked');
    expect(title()).toHaveTextContent('Your withdrawal is being checked');
    expect(screen.getByText('Please do not withdraw again.')).toBeVisible();
    const line = (words: string) => screen.getByText(words, { selector: 'dt' }).nextElementSibling;
    expect(line('Amount')).toHaveTextContent('₹1,000.00');
    expect(line('Card number')).toHaveTextContent('•••• 4242');
    expect(line('Withdrawal ID')).toHaveTextContent(withdrawalId);
  });

  test.each([
    ['not-found', 404],
    // An id that is none is not "sent" either.
    ['invalid-request', 400],
  ])('one that nobody knows: %s', async (code, status) => {
    const services = withdrawalServices({ 'withdrawal-status': refusal(code, status) });
    await openWidget(`/withdrawal/complete?withdrawalId=${withdrawalId}`, services);
    expect(title()).toHaveTextContent('We cannot find this withdrawal');
  });

  test('a question without an answer is asked again', async () => {
    const services = withdrawalServices({ 'withdrawal-status': connectionLost });
    const { pass } = await openWidget(`/withdrawal/complete?withdrawalId=${withdrawalId}`, services);
    expect(screen.getByText('No connection right now. We are still trying.')).toBeVisible();
    services.answer('withdrawal-status', withdrawalReport(services, { status: 1 }));
    await pass(3000);
    expect(title()).toHaveTextContent('Paid out');
  });
});

describe('[WD-2] the receipt', () => {
  const line = (words: string) => screen.getByText(words, { selector: 'dt' }).nextElementSibling;

  test('names the masked destination, when it arrives, and the whole number to copy', async () => {
    await open({ status: 3 });
    expect(line('To')).toHaveTextContent('Bank card');
    expect(line('Card number')).toHaveTextContent('•••• 4242');
    expect(line('Expected arrival')).toHaveTextContent('Usually within 15 minutes');
    expect(line('Withdrawal ID')).toHaveTextContent(withdrawalId);
    await user.click(screen.getByRole('button', { name: 'Copy: Withdrawal ID' }));
    expect(await navigator.clipboard.readText()).toBe(withdrawalId);
  });

  test.each([1, 2])('of what is over (%d) no time is expected any more', async (status) => {
    await open({ status });
    expect(line('Card number')).toHaveTextContent('•••• 4242');
    expect(screen.queryByText('Expected arrival')).toBeNull();
  });
});

test.each([
  [undefined, true],
  ['withdrawal.reason.declined', true],
  ['withdrawal.reason.cancelled', false],
  ['withdrawal.reason.expired', false],
])('[WD-3] of one that ended by %s what to change is said: %s', async (reason, isSaid) => {
  await open({ status: 2, ...(reason !== undefined && { reason }) });
  expect(screen.queryByText(/^Check the account and the name/) !== null).toBe(isSaid);
});

const general = /^Check the account and the name/;

test.each([
  ['account-details', /^The details were not accepted/],
  ['account-closed', /^This account is closed/],
  ['limit', /^The amount is too high/],
  ['name-mismatch', /account in your own name/],
  ['bank-unavailable', /^The bank is not available/],
] as const)('[WD-3] declined or sent back by the cause %s it says what to change', async (declineCause, words) => {
  for (const reason of ['withdrawal.reason.declined', 'withdrawal.reason.returned']) {
    await open({ status: 2, reason, declineCause });
    expect(screen.getByText(words)).toBeVisible();
    expect(screen.queryByText(general)).toBeNull();
    cleanup();
  }
});

test('[WD-3] [ERR-4] the provider’s message is shown as text, above the advice for a known cause, and replaces general advice', async () => {
  const message = '<b>This account</b> is closed.';
  const reason = 'withdrawal.reason.declined';
  const { services, pass } = await open({ status: 2, reason, message });
  expect(screen.getByText(message)).toBeVisible();
  expect(screen.queryByText(general)).toBeNull();
  services.answer(
    'withdrawal-status',
    withdrawalReport(services, { status: 2, reason, message, declineCause: 'account-closed' }),
  );
  act(() => services.push('withdrawal.status', withdrawalReport(services, { status: 2 })));
  await pass(2000);
  const advice = screen.getByText(/^This account is closed or cannot receive payments/);
  expect(screen.getByText(message).compareDocumentPosition(advice)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('[WD-3] a withdrawal that is no longer declined offers no change', async () => {
  await open({ status: 3, message: 'Closed.', declineCause: 'account-closed' });
  expect(screen.queryByText('Closed.')).toBeNull();
  expect(screen.queryByText(/^This account is closed/)).toBeNull();
});

describe('[HOST-15] what the host is told', () => {
  const told = ({ posted }: ReturnType<typeof withdrawalServices>) =>
    posted.flatMap((message) => (message.messageType === 'transaction' ? [message.payload] : []));

  test.each([
    [0, 'progress'],
    [3, 'processing'],
    [1, 'success'],
    [2, 'decline'],
  ] as const)('status %i is %s', async (status, event) => {
    const { services } = await open({ status });
    expect(told(services)).toEqual([{ event, withdrawalId }]);
  });

  test('of each change once, though two screens see it', async () => {
    const services = withdrawalServices({ 'withdrawal-confirm': { withdrawalId, status: 3 } });
    const { address, pass } = await openWidget(`/withdrawal/confirm?withdrawalId=${withdrawalId}`, services);
    services.answer('withdrawal-status', withdrawalReport(services, { status: 3 }));
    act(() => services.push('withdrawal.status', withdrawalReport(services, { status: 3 })));
    await pass(0);
    await pass(2000);
    expect(address()).toContain('/withdrawal/complete');
    services.answer('withdrawal-status', withdrawalReport(services, { status: 1 }));
    await pass(8000);
    expect(told(services).map(({ event }) => event)).toEqual(['progress', 'processing', 'success']);
  });
});

describe('[WD-2] what can be done', () => {
  test('an unconfirmed withdrawal can be opened, confirmed or cancelled', async () => {
    const { services, address, pass } = await open({});
    services.answer('withdrawal-cancel', { withdrawalId, status: 2 });
    await user.click(screen.getByRole('button', { name: 'Cancel withdrawal' }));
    services.answer(
      'withdrawal-status',
      withdrawalReport(services, { status: 2, reason: 'withdrawal.reason.cancelled' }),
    );
    await pass(2000);
    expect(title()).toHaveTextContent('Withdrawal cancelled');
    await user.click(screen.getByRole('button', { name: 'Withdraw again' }));
    await pass(0);
    expect(address()).toBe('/withdrawal/redirect/card_withdrawal');
  });

  test('while it waits for approval the user can still cancel it', async () => {
    const { services, pass } = await open({ status: 3, canCancel: true, reason: 'withdrawal.reason.approval' });
    services.answer('withdrawal-cancel', { withdrawalId, status: 2 });
    await user.click(screen.getByRole('button', { name: 'Cancel withdrawal' }));
    services.answer(
      'withdrawal-status',
      withdrawalReport(services, { status: 2, reason: 'withdrawal.reason.cancelled' }),
    );
    await pass(2000);
    expect(title()).toHaveTextContent('Withdrawal cancelled');
  });

  test('submitted, it can no longer be cancelled', async () => {
    await open({ status: 3 });
    expect(screen.queryByRole('button', { name: 'Cancel withdrawal' })).toBeNull();
  });

  test('accepted and paid close the widget', async () => {
    const { services } = await open({ status: 1 });
    await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) ?? document.body);
    expect(services.posted).toContainEqual({ messageType: 'close', payload: {} });
  });
});

describe('[WD-2] an unfinished withdrawal on the list', () => {
  const tile = () => screen.queryByRole('button', { name: /^Unfinished withdrawal/ });

  // Lazy in the widget; here only its reading takes time.
  beforeAll(() => import('../../kit/withdrawal/unfinished-withdrawal.tsx'));

  test('leads back to its confirm screen on a device without stored data', async () => {
    const services = withdrawalServices();
    services.answer('withdrawal-check', { withdrawal: withdrawalReport(services) });
    const { address, pass } = await openWidget('/withdrawal', services);
    await pass(0);
    expect(services.requestsOf('withdrawal-check')).toEqual([{ currency: 'INR' }]);
    expect(tile()).toHaveAccessibleName('Unfinished withdrawal, 15:00 left');
    expect(tile()).toHaveAccessibleDescription('⁨₹1,000.00⁩, Bank card');
    await user.click(tile() ?? document.body);
    await pass(0);
    expect(address()).toBe(`/withdrawal/confirm?withdrawalId=${withdrawalId}`);
  });

  test.each([
    ['nothing that is unconfirmed', {}],
    ['no answer', connectionLost],
  ])('is not there by the word of this device: %s', async (_what, answer) => {
    const now = withdrawalServices().clock.now();
    localStorage.setItem('cashier.withdrawal', `${withdrawalId} ${textMark('user user-1')} intent ${now}`);
    const { services, pass } = await openWidget('/withdrawal', withdrawalServices({ 'withdrawal-check': answer }));
    await pass(0);
    expect(services.requestsOf('withdrawal-check')).toHaveLength(1);
    expect(tile()).toBeNull();
    expect(screen.getAllByRole('button', { name: /Bank card/ }).length).toBeGreaterThan(0);
  });
});
