// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { boxesOf, coins, goldBox, smallBox, soldOutBox, sweepServices } from '../../kit/sweepstake/box-fixture.ts';

const user = userEvent.setup();
const failure = () =>
  Promise.reject(new ClientError({ kind: 'refused', code: 'internal', status: 500, message: 'Fault' }));

const open = (path: string, boxes: unknown, balances: unknown = coins) =>
  openWidget(path, sweepServices({ 'sweepstake-boxes': boxes, 'sweepstake-balance-get': balances }));
const balance = (title: string) => screen.getByText(title, { selector: 'dt' }).nextElementSibling;
const gold = () => screen.getByRole('button', { name: /205,000\sGC/ });

beforeEach(() => {
  window.scrollTo = () => undefined;
  sessionStorage.clear();
});

test('[SWP-1] every box shows its gold coins, free sweep coins and price, in its group', async () => {
  await open('/deposit', { boxes: [{ name: 'Welcome', boxes: [goldBox] }, { boxes: [smallBox] }] });
  expect(screen.getByRole('heading', { name: 'Select coin package' })).toBeVisible();
  expect(screen.getByRole('region', { name: 'Welcome' })).toBeVisible();
  expect(gold()).toHaveAccessibleDescription(/20\.50\sSC.* free \$19\.99 Popular$/);
  expect(screen.getByRole('button', { name: /50,000\sGC/ })).toHaveAccessibleDescription('$4.99');
  expect(screen.getByText(/entertainment only.*no cash value.*not for sale.*No purchase necessary/)).toBeVisible();
});

test('[AMT-9] QGC in a box is shown as QSC', async () => {
  const other = { ...goldBox, currenciesList: [{ currency: 'QGC', main: '0', free: '3' }] };
  await open('/deposit', boxesOf(other));
  expect(screen.getByText(/free$/)).toHaveTextContent(/3\.00\sQSC/);
});

test('[SWP-1] a box that is sold out is shown, says so and cannot be chosen; few left are counted', async () => {
  const { address } = await open('/deposit', boxesOf(soldOutBox, { ...goldBox, remaining: 3 }));
  const rare = screen.getByRole('button', { name: /50,000\sGC/ });
  expect(rare).toHaveAttribute('aria-disabled', 'true');
  expect(rare).toHaveAccessibleDescription('Sold out');
  await user.click(rare);
  expect(address()).toBe('/deposit');
  expect(gold()).toHaveAccessibleDescription(/3 left/);
});

test('[NAV-7] the chosen box is kept by its id alone', async () => {
  const { address, pass } = await open('/deposit', boxesOf(goldBox));
  await user.click(gold());
  await pass(0);
  expect(address()).toBe('/deposit/select-method');
  expect(sessionStorage.getItem('cashier.box')).toBe('gold-20');
});

test('[LIST-1] no box leads to the empty page, which can reload the list', async () => {
  const { address, services, pass } = await open('/deposit', boxesOf());
  expect(address()).toBe('/empty');
  expect(services.posted).toContainEqual({
    messageType: 'error',
    payload: { code: 'nothing-offered', message: 'Empty sweepstakes' },
  });
  expect(screen.getByText('No coin packages right now')).toBeVisible();
  services.answer('sweepstake-boxes', boxesOf(goldBox));
  await user.click(screen.getByRole('button', { name: 'Refresh' }));
  for (let turn = 0; turn < 5; turn += 1) await pass(0);
  expect(address()).toBe('/deposit');
  expect(gold()).toBeVisible();
});

test('[SWP-3] a failed fetch is an empty list, logged only: no error page and no message', async () => {
  const { address, services } = await open('/deposit', failure);
  expect(address()).toBe('/empty');
  expect(services.metrics).toContainEqual(['sweepstake.boxes-failed', 'internal']);
  expect(screen.getByRole('alert')).toBeEmptyDOMElement();
});

test.each(['/nonsense', '/deposit/nonsense', '/'])('[NAV-2] %s leads to the boxes', async (path) => {
  const { address } = await open(path, boxesOf(goldBox));
  expect(address()).toBe('/deposit');
});

test('[UI-5] placeholders are shown until the boxes load', async () => {
  await open('/deposit', () => new Promise(() => undefined));
  expect(screen.getByText('Loading coin packages')).toBeInTheDocument();
});

describe('[SWP-2] both balances', () => {
  test('stand above the boxes', async () => {
    await open('/deposit', boxesOf(goldBox));
    expect(balance('Gold coins')).toHaveTextContent(/^⁨?5,000\sGC⁩?$/);
    expect(balance('Sweep coins')).toHaveTextContent(/^⁨?80\.50\sSC⁩?$/);
  });

  test('[AMT-9] QGC is shown as QSC', async () => {
    await open('/deposit', boxesOf(goldBox), [{ currency: 'QGC', balance: '3' }]);
    expect(balance('Sweep coins')).toHaveTextContent(/3\.00\sQSC/);
    expect(balance('Gold coins')).toHaveTextContent(/0\sGC/);
  });

  test('[SWP-3] are zero when they fail to load, which is only logged; the boxes are shown', async () => {
    const { services } = await open('/deposit', boxesOf(goldBox), failure);
    expect(balance('Gold coins')).toHaveTextContent(/^⁨?0\sGC⁩?$/);
    expect(balance('Sweep coins')).toHaveTextContent(/^⁨?0\.00\sSC⁩?$/);
    expect(services.metrics).toContainEqual(['sweepstake.balances-failed', 'internal']);
    expect(screen.getByRole('alert')).toBeEmptyDOMElement();
    expect(gold()).toBeVisible();
  });

  test('[UI-5] keep their place before they and the boxes load', async () => {
    const never = () => new Promise(() => undefined);
    await open('/deposit', never, never);
    expect(balance('Gold coins')?.parentElement?.parentElement).toHaveAttribute('aria-busy', 'true');
    expect(screen.getByText('Loading coin packages')).toBeInTheDocument();
  });
});

describe('[SWP-1] a box that is on sale for a limited time', () => {
  const until = (afterMs: number) => ({
    ...goldBox,
    availableUntil: new Date(sweepServices({}).clock.now() + afterMs).toISOString(),
  });

  test('shows the time left on its last day', async () => {
    const { pass } = await open('/deposit', boxesOf(until(86_401_000), smallBox));
    expect(screen.queryByText(/^Ends in/)).toBeNull();
    await pass(2000);
    expect(gold()).toHaveAccessibleDescription(/Ends in 23:59:59$/);
  });

  test('is requested again at the end', async () => {
    const { services, pass } = await open('/deposit', boxesOf(until(2000), smallBox));
    services.answer('sweepstake-boxes', boxesOf(smallBox));
    await pass(1000);
    expect(gold()).toBeVisible();
    await pass(1000);
    await pass(0);
    expect(screen.queryByRole('button', { name: /205,000\sGC/ })).toBeNull();
    expect(services.requestsOf('sweepstake-boxes')).toHaveLength(2);
  });

  test('does not depend on the device’s clock', async () => {
    const day = 86_400_000;
    const services = sweepServices({
      'sweepstake-boxes': boxesOf(until(day + 60_000)),
      'sweepstake-balance-get': coins,
    });
    services.api.serverOffsetMs = () => day;
    await openWidget('/deposit', services);
    expect(gold()).toHaveAccessibleDescription(/Ends in 01:00$/);
  });
});

describe('[SWP-1] [DEP-15] an unfinished purchase below the boxes', () => {
  const depositId = '5f0c2f4e-7b0e-4a53-9a3e-2f1d6c0b9a11';
  const now = sweepServices({}).clock.now();
  const path = `/deposit/redirect/card_visa/unified-form?depositId=${depositId}`;
  const report = {
    depositId,
    paymentMethod: 'card_visa',
    status: 0,
    amount: '19.99',
    currency: 'USD',
    created: new Date(now - 140_000).toISOString(),
    lifetime: 900,
    serverTime: new Date(now).toISOString(),
    box: { boxId: 'gold-20', gcAmount: '205000', scAmount: '20.50' },
  };
  const look = async (answers: Record<string, unknown>) => {
    const services = sweepServices({
      // It may have taken the last one.
      'sweepstake-boxes': boxesOf(smallBox),
      'sweepstake-balance-get': coins,
      'deposit-check': { exists: false },
      ...answers,
    });
    const widget = await openWidget('/deposit', services);
    for (let turn = 0; turn < 5; turn += 1) await widget.pass(0);
    return widget;
  };
  const remember = (userId = 'user-1') =>
    sessionStorage.setItem(
      'cashier.deposit-intent',
      JSON.stringify({ depositId, method: 'card_visa', userId, path, boxId: 'gold-20' }),
    );
  const tile = () => screen.queryByRole('button', { name: /^Unfinished purchase/ });

  beforeAll(() => import('../../kit/sweepstake/unfinished-purchase.tsx'));
  beforeEach(() => localStorage.clear());

  test('shows what is bought and the time left; a tap continues on its own page', async () => {
    remember();
    const { address, pass } = await look({ 'deposit-status': report });
    expect(tile()).toHaveAccessibleName('Unfinished purchase, 12:40 left');
    expect(tile()).toHaveAccessibleDescription(/^⁨\$19\.99⁩, ⁨205,000\sGC⁩$/);
    await user.click(tile() ?? document.body);
    await pass(0);
    expect(address()).toBe(path);
    expect(sessionStorage.getItem('cashier.box')).toBe('gold-20');
  });

  test('is found in a new tab by the method that was used last', async () => {
    localStorage.setItem('cashier.last-method', 'card_visa');
    const { depositId: id, amount, currency, created, lifetime } = report;
    const { address, pass } = await look({
      'deposit-check': { exists: true, depositId: id, amount, currency, created, lifetime },
      'deposit-status': report,
    });
    await user.click(tile() ?? document.body);
    await pass(0);
    expect(address()).toBe(`/deposit/complete?depositId=${depositId}&method=card_visa`);
  });

  test.each([
    ['paid', { ...report, status: 1 }],
    ['processing', { ...report, status: 3 }],
    ['in doubt', { ...report, isOutcomeUnknown: true }],
    ['over', { ...report, created: new Date(now - 901_000).toISOString() }],
    ['no box', { ...report, box: undefined }],
    ['not to be had', failure],
  ])('that is %s is none', async (_what, answer) => {
    remember();
    await look({ 'deposit-status': answer });
    expect(tile()).toBeNull();
  });

  test('of another user of this device is not asked about', async () => {
    remember('user-2');
    const { services } = await look({ 'deposit-status': report });
    expect(services.requestsOf('deposit-status')).toEqual([]);
    expect(tile()).toBeNull();
  });
});
