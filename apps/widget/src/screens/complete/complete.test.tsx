import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { reportedPaid } from '../../kit/payment/reported-paid.ts';
import { completeServices, depositId, path, report } from './complete-fixture.ts';

const user = userEvent.setup();
const open = (answer: unknown, query = '') => openWidget(`${path}${query}`, completeServices(answer));

beforeEach(() => {
  window.scrollTo = () => undefined;
});

describe('[DEP-15] what the screen shows', () => {
  test.each([
    [report(0), 'Waiting for your payment'],
    [report(3), 'Your payment is being processed'],
    [report(42), 'Your payment is being processed'],
    [report(1, { finalAmount: '1500.00' }), '⁨₹1,500.00⁩ added to your balance'],
    [report(1), 'Payment completed'],
    [report(2), 'The payment did not go through'],
  ])('%o %s', async (answer, title) => {
    await open(answer);
    expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent(title);
    expect(screen.getByText('₹1,500.00')).toBeVisible();
  });

  test.each([
    ['insufficient-funds', 'The card or account does not have enough money. Pay a smaller amount'],
    ['limit-exceeded', 'The amount is above a limit on the card or account.'],
    ['card-expired', 'The card has expired. Use another card'],
    ['wrong-details', 'Check the card or account details and try again.'],
    ['authentication-failed', 'Try again and confirm it with the bank’s code or app.'],
    ['bank-refused', 'Your bank does not allow this payment.'],
    [undefined, 'Nothing was added to your balance. Contact your bank or choose another method.'],
  ] as const)('a decline says why and what to change: %s', async (declineCause, words) => {
    await open(report(2, { reason: 'transaction.reason.declined', declineCause }));
    const text = screen.getByText(/^Your bank or the payment provider declined the payment\./);
    expect(text).toHaveTextContent(words);
  });

  test.each([0, 1, 2, 3])('the whole number can be copied for support, also at the end: %s', async (status) => {
    await open(report(status));
    expect(screen.getByText('Payment ID').nextElementSibling).toHaveTextContent(depositId);
    expect(screen.getByRole('button', { name: 'Copy: Payment ID' })).toBeVisible();
  });

  test('a credited amount that was taken back is not shown as added to the balance', async () => {
    await open(report(2, { finalAmount: '1500.00', reason: 'transaction.reason.reversed' }));
    expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent('The payment was reversed');
    expect(screen.queryByText('Added to your balance')).toBeNull();
    expect(screen.getByText('₹1,500.00')).toBeVisible();
  });

  test('the part that paid a debt is shown, and not as added to the balance', async () => {
    await open(report(1, { finalAmount: '1500.00', paidDebt: '400.50' }));
    expect(screen.getByText('⁨₹400.50⁩ of this payment went towards what you owed.')).toBeVisible();
    expect(screen.queryByText('The money was added to your balance.')).toBeNull();
    expect(screen.getByText('Added to your balance').nextElementSibling).toHaveTextContent('₹1,099.50');
  });

  test('an address cannot claim success: only a report of the server can', async () => {
    await open(undefined, '&status=processed');
    expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent('Waiting for your payment');
  });

  test('the server’s report beats the address', async () => {
    await open(report(1), '&status=mistaked');
    expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent('Payment completed');
  });

  test('waiting becomes processing after a minute', async () => {
    const { pass } = await open(report(0));
    await pass(59_999);
    expect(screen.getByText('Waiting for your payment')).toBeVisible();
    await pass(1);
    expect(screen.getByText('Your payment is being processed')).toBeVisible();
  });

  test('an unknown outcome is being checked: neither failed nor done, and not to be paid again', async () => {
    await open(report(0, { isOutcomeUnknown: true }), '&status=mistaked');
    expect(screen.getByText('Your payment is being checked')).toBeVisible();
    expect(screen.getByText('Please do not pay again.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Back to payment' })).toBeNull();
    // What support asks for: which payment, and its whole number.
    expect(screen.getByText('Amount').nextElementSibling).toHaveTextContent('₹1,500.00');
    expect(screen.getByText('Payment ID').nextElementSibling).toHaveTextContent(depositId);
    expect(screen.getByRole('button', { name: 'Copy: Payment ID' })).toBeVisible();
  });

  test('after "I have paid" the payer is not asked to pay again, but told that the payment is being checked', async () => {
    const { pass } = await openWidget(path, completeServices(report(0)), reportedPaid);
    expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent('Your payment is being checked');
    expect(
      screen.getByText(/^You told us that you have paid\. We are checking with the recipient.*do not pay again\.$/),
    ).toBeVisible();
    expect(screen.queryByText(/Finish paying on the payment page/)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Reopen payment page' })).toBeNull();
    expect(screen.queryByText('Time left')).toBeNull();
    await pass(60_000);
    expect(screen.getByText('Your payment is being processed')).toBeVisible();
  });

  test('a payment that came late is kept and said so', async () => {
    await open(report(3, { isLate: true }));
    expect(screen.getByText('The payment arrived late')).toBeVisible();
  });
});

describe('[DEP-15] [CRY-1] a payment in review', () => {
  test.each([
    ['below-minimum', '300.00', '₹300.00', /^The payment is below the minimum.*do not send the rest yet/],
    ['above-maximum', '90000.00', '₹90,000.00', /^The payment is above the maximum.*do not pay again/],
    ['underpaid', '1499.99', '₹1,499.99', /^Less than the full amount.*do not pay the rest yet/],
    ['overpaid', '1600.00', '₹1,600.00', /^More than the full amount.*do not pay again/],
  ])('%s: how much has come, that it is kept, and not to pay again', async (why, receivedAmount, amount, words) => {
    await open(report(3, { reason: `transaction.reason.${why}`, receivedAmount }));
    expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent('We are reviewing your payment');
    // Two paragraphs: each is a message of its own, which no code has joined.
    expect(screen.getByText(`We received ⁨${amount}⁩.`).nextElementSibling).toHaveTextContent(words);
    expect(screen.queryByRole('button', { name: 'Back to payment' })).toBeNull();
  });

  test('late says how much came too', async () => {
    await open(report(3, { isLate: true, reason: 'transaction.reason.late', receivedAmount: '1500.00' }));
    const received = screen.getByText('We received ⁨₹1,500.00⁩.');
    // It names the payment. "It" would be nothing after this sentence.
    expect(received.nextElementSibling).toHaveTextContent(/^The payment arrived after the time.*do not pay again/);
  });

  test('of another currency names no sum, since what came is none of the deposit’s own', async () => {
    await open(report(3, { reason: 'transaction.reason.wrong-currency' }));
    expect(screen.getByText(/^The payment arrived in another currency.*do not pay again/)).toBeVisible();
  });

  test('a second payment beside a credited one: processed, and the other is being looked at', async () => {
    await open(report(1, { finalAmount: '1500.00', reason: 'transaction.reason.second-payment' }));
    expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent('added to your balance');
    const text = screen.getByText('The money was added to your balance.');
    expect(text.nextElementSibling).toHaveTextContent(/^A second payment arrived.*do not pay again/);
  });
});

describe('[DEP-15] what can be done', () => {
  test('mistaked leads back to the payment', async () => {
    const { address, pass } = await open(report(2));
    await user.click(screen.getByRole('button', { name: 'Back to payment' }));
    await pass(0);
    expect(address()).toBe('/deposit/redirect/bank_card');
  });

  test.each([
    ['/deposit/onramp/bank_card', '/deposit/onramp/bank_card'],
    ['https://evil.example/pay', '/deposit/redirect/bank_card'],
    ['//evil.example', '/deposit/redirect/bank_card'],
  ])('`to` %s leads to %s', async (to, path) => {
    const { address, pass } = await open(report(2), `&to=${encodeURIComponent(to)}`);
    await user.click(screen.getByRole('button', { name: 'Back to payment' }));
    await pass(0);
    expect(address()).toBe(path);
  });

  test.each([1, 3])('status %d closes the widget', async (status) => {
    const { services } = await open(report(status));
    await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) ?? document.body);
    expect(services.posted).toContainEqual({ messageType: 'close', payload: {} });
  });
});

describe('[DEP-15] how the screen learns the truth', () => {
  test('it asks when it opens, with growing pauses while pending, and seldom once it is final: what was returned appears', async () => {
    const { services, pass } = await open(report(0));
    const asked = () => services.requestsOf('deposit-status').length;
    expect(services.requestsOf('deposit-status')[0]).toEqual({ depositId, paymentMethod: 'bank_card' });
    expect(asked()).toBe(1);
    await pass(2000);
    expect(asked()).toBe(2);
    await pass(2999);
    expect(asked()).toBe(2);
    services.answer('deposit-status', report(1));
    await pass(1);
    expect(screen.getByText('Payment completed')).toBeVisible();
    services.answer('deposit-status', report(2, { reason: 'transaction.reason.reversed' }));
    await pass(10_000);
    expect(asked()).toBe(4);
    expect(screen.queryByText('Payment completed')).toBeNull();
  });

  test('a push is a hint: it makes the screen ask, and is not believed by itself', async () => {
    const { services, pass } = await open(report(0));
    act(() => services.push('deposit.status', report(1)));
    await pass(0);
    expect(services.requestsOf('deposit-status')).toHaveLength(2);
    expect(screen.getByText('Waiting for your payment')).toBeVisible();
  });

  test('it asks when the window is looked at again', async () => {
    const { services, pass } = await open(report(0));
    services.answer('deposit-status', report(1));
    act(() => {
      window.dispatchEvent(new Event('focus'));
    });
    await pass(0);
    expect(screen.getByText('Payment completed')).toBeVisible();
  });

  test('an unanswered status call is repeated and changes nothing', async () => {
    const failure = new ClientError({ kind: 'network', code: 'socket.networkError', status: 0, message: 'lost' });
    const { services, pass } = await open(() => Promise.reject(failure));
    expect(screen.getByText('No connection right now. We are still trying.')).toBeVisible();
    services.answer('deposit-status', report(1));
    await pass(2000);
    expect(screen.getByText('Payment completed')).toBeVisible();
  });

  test('after it has left the screen no timer is pending', async () => {
    const { services, pass } = await open(report(0));
    await user.click(screen.getByRole('button', { name: 'See payment methods' }));
    // The list loads and draws what comes next after a while; of the poll nothing is left.
    for (let turn = 0; turn < 40; turn += 1) await pass(50);
    expect(services.clock.pending()).toBe(0);
  });
});

test('[HOST-15] the host hears of each change once', async () => {
  const { services, pass } = await open(report(0));
  const events = () =>
    services.posted.flatMap((message) => (message.messageType === 'transaction' ? [message.payload.event] : []));
  await pass(2000);
  expect(events()).toEqual(['progress']);
  services.answer('deposit-status', report(3));
  await pass(3000);
  services.answer('deposit-status', report(1));
  await pass(60_000);
  expect(events()).toEqual(['progress', 'processing', 'success']);
});

test('[HOST-15] the host hears of a decline; an address alone tells the host nothing', async () => {
  const { services } = await open(report(2));
  expect(services.posted).toContainEqual({
    messageType: 'transaction',
    payload: { event: 'decline', depositId },
  });
  const quiet = await open(undefined, '&status=accepted');
  expect(quiet.services.posted.filter(({ messageType }) => messageType === 'transaction')).toEqual([]);
});
