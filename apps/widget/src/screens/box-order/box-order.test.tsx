// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import type { Answers } from '../../kit/session/services-fixture.ts';
import { boxesOf, goldBox, smallBox, sweepServices, waysToBuy } from '../../kit/sweepstake/box-fixture.ts';

const user = userEvent.setup();

async function open(path: string, answers: Answers = {}) {
  const services = sweepServices(answers);
  const widget = await openWidget(path, services);
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await widget.pass(0);
  };
  return { ...widget, services, settle, bought: () => services.requestsOf('deposit-create-sweepstake') };
}

const refused = (code: string) => () =>
  Promise.reject(new ClientError({ kind: 'refused', code, status: 422, message: code }));
const answered = (more: object) => (request: { depositId: string }) => ({
  apiResponse: { depositId: request.depositId, ...more },
});
const pay = () => screen.getByRole('button', { name: /^Pay/ });

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  sessionStorage.clear();
  sessionStorage.setItem('cashier.box', goldBox.boxId);
  vi.spyOn(window, 'open').mockImplementation(() => null);
});

describe('how to pay', () => {
  test('[SWP-1] the methods that can buy the box are requested in its currency and shown below the order', async () => {
    const { services } = await open('/deposit/select-method');
    expect(services.requestsOf('methods-payment-v5').at(-1)).toEqual({
      country: 'US',
      currency: 'USD',
      abTestGroup: 'group_a',
      boxId: 'gold-20',
    });
    const order = screen.getByRole('region', { name: 'Order summary' });
    expect(order).toHaveTextContent(/205,000\sGC/);
    expect(order).toHaveTextContent('$19.99');
    expect(order).toHaveTextContent(/no cash value.*not for sale.*No purchase necessary/);
    expect(screen.getByRole('button', { name: 'Bank card' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Crypto' })).toBeVisible();
  });

  test('[LIST-1] no method: the empty page says so', async () => {
    const { services } = await open('/deposit/select-method', {
      'methods-payment-v5': { ...waysToBuy, groups: [], methods: [] },
    });
    expect(screen.getByText('There are no payment methods available for this region')).toBeVisible();
    expect(services.posted).toContainEqual({
      messageType: 'error',
      payload: { code: 'nothing-offered', message: 'Empty payment methods' },
    });
  });

  test('[LIST-1] [NAV-5] methods that fail to load lead to the error page, and from there back', async () => {
    const { address } = await open('/deposit/select-method', { 'methods-payment-v5': refused('internal') });
    expect(address()).toBe('/error?backRoute=%2Fdeposit%2Fselect-method');
  });
});

describe('the guard', () => {
  test.each(['/deposit/select-method', '/deposit/redirect/card_visa', '/deposit/crypto', '/deposit/crypto/usdt_trc20'])(
    '[SWP-3] [NAV-3] without a box %s leads back to the boxes and says so',
    async (path) => {
      sessionStorage.clear();
      const { address, services, settle } = await open(path);
      await settle();
      expect(address()).toBe('/deposit');
      expect(services.posted).toContainEqual({
        messageType: 'error',
        payload: { code: 'not-chosen', message: 'No sweepstake box selected for sweepstake deposit' },
      });
      expect(screen.getByText('Choose a coin package first.')).toBeVisible();
    },
  );

  test.each([
    [
      'that is gone',
      boxesOf(smallBox),
      'This package is no longer available. Nothing was charged. Choose another one.',
    ],
    [
      'that has sold out',
      boxesOf({ ...goldBox, remaining: 0 }),
      'This package has just sold out. Nothing was charged. Choose another one.',
    ],
  ])('[NAV-7] a box %s is not bought after a reload', async (_what, boxes, text) => {
    const { address, settle } = await open('/deposit/redirect/card_visa', { 'sweepstake-boxes': boxes });
    await settle();
    expect(address()).toBe('/deposit');
    expect(screen.getByText(text)).toBeVisible();
    expect(screen.queryByText('Choose a coin package first.')).toBeNull();
  });

  test('[NAV-3] a method that cannot buy the box leads to the methods that can', async () => {
    const { address, settle } = await open('/deposit/redirect/upi');
    await settle();
    expect(address()).toBe('/deposit/select-method');
  });

  test('[NAV-7] a reload of the form restores it from the box’s id', async () => {
    const { address } = await open('/deposit/redirect/card_visa');
    expect(address()).toBe('/deposit/redirect/card_visa');
    expect(pay()).toHaveAccessibleName(/\$19\.99/);
  });

  test('[SWP-3] a list that fails to reload keeps the chosen box', async () => {
    const { services, settle, address } = await open('/deposit/select-method');
    services.answer('sweepstake-boxes', refused('internal'));
    await user.click(screen.getByRole('button', { name: 'Bank card' }));
    await settle();
    expect(address()).toBe('/deposit/redirect/card_visa');
    expect(pay()).toBeVisible();
  });
});

test('[SWP-1] a changed price is reported, and never changes just before a press', async () => {
  const { services, address, settle } = await open('/deposit/select-method');
  let answer: (boxes: unknown) => void = () => undefined;
  services.answer('sweepstake-boxes', () => new Promise((resolve) => (answer = resolve)));
  await user.click(screen.getByRole('button', { name: 'Bank card' }));
  await settle();
  expect(pay()).toHaveAccessibleName(/\$19\.99/);
  const dearer = boxesOf({ ...goldBox, price: '24.99' });
  answer(dearer);
  services.answer('sweepstake-boxes', dearer);
  await settle();
  await settle();
  expect(address()).toBe('/deposit');
  expect(screen.getByText('This package has changed. Nothing was charged. Review it before you buy.')).toBeVisible();
  expect(screen.getByText('$24.99')).toBeVisible();
});

test('[SWP-1] only the create says that a shown box has sold out, because this user may have the last one', async () => {
  const { services, settle } = await open('/deposit/select-method');
  services.answer('sweepstake-boxes', boxesOf({ ...goldBox, remaining: 0 }));
  await user.click(screen.getByRole('button', { name: 'Bank card' }));
  await settle();
  expect(pay()).toBeVisible();
});

describe('the purchase', () => {
  test('[SWP-1] is created by its own call with the box, its price and its currency; no amount is asked for', async () => {
    const { bought, services, settle } = await open('/deposit/redirect/card_visa', {
      'deposit-create-sweepstake': answered({ source: 'https://pay.example/1' }),
    });
    expect(screen.queryByRole('textbox')).toBeNull();
    await user.click(pay());
    await settle();
    expect(bought()).toEqual([
      expect.objectContaining({
        boxId: 'gold-20',
        boxPrice: '19.99',
        amount: '19.99',
        currency: 'USD',
        paymentType: 'card_visa',
        isActivatedBonus: false,
      }),
    ]);
    expect(services.requestsOf('deposit-create')).toEqual([]);
    expect(services.requestsOf('deposit-limits')).toEqual([]);
    expect(services.requestsOf('session-start')).toEqual([]);
  });

  test.each([
    ['box-sold-out', 'This package has just sold out. Nothing was charged. Choose another one.'],
    ['box-changed', 'This package has changed. Nothing was charged. Review it before you buy.'],
    ['not-found', 'This package is no longer available. Nothing was charged. Choose another one.'],
  ])('[SWP-1] refused as %s: said plainly, and the boxes as they are now', async (code, text) => {
    const { services, address, settle } = await open('/deposit/redirect/card_visa', {
      'deposit-create-sweepstake': refused(code),
    });
    services.answer('sweepstake-boxes', boxesOf({ ...goldBox, price: '24.99' }));
    await user.click(pay());
    await settle();
    await settle();
    expect(address()).toBe('/deposit');
    expect(screen.getByText(text)).toBeVisible();
    expect(screen.getByText('$24.99')).toBeVisible();
    expect(screen.queryByText('$19.99')).toBeNull();
  });

  test('[SWP-1] another refusal stays on the form, as with every deposit, and names the purchase', async () => {
    const { address, settle } = await open('/deposit/redirect/card_visa', {
      'deposit-create-sweepstake': refused('provider-error'),
    });
    await user.click(pay());
    await settle();
    expect(address()).toBe('/deposit/redirect/card_visa');
    expect(screen.getByText(/did not accept this purchase/)).toBeVisible();
  });

  test.each([
    ['unifiedFlow', { unifiedFlow: true }, /^\/deposit\/redirect\/card_visa\/unified-form\?/],
    ['a card', { card: '4111111111111111' }, /^\/deposit\/host-to-host\/card_visa\?/],
  ])('[SWP-1] an answer with %s goes on in the flow that every product has', async (_what, data, path) => {
    const { address, settle } = await open('/deposit/redirect/card_visa', {
      'deposit-create-sweepstake': answered({ data }),
    });
    await user.click(pay());
    await settle();
    expect(address()).toMatch(path);
  });

  test('[SWP-1] [CRY-1] with coins, the address is requested at the price of the box, under its own key', async () => {
    const { bought, address, settle } = await open('/deposit/crypto/usdt_trc20', {
      'deposit-limits': { currency: 'USD', min: '0', max: '0' },
      'deposit-create-sweepstake': answered({
        data: { depositAddress: 'TXk9qVnZ2sW7cQ4yRr1uB8mLpJ6dH3fAe5', network: 'trc20', cryptoName: 'USDT' },
      }),
      'deposit-status': () => new Promise(() => undefined),
    });
    await settle();
    expect(bought()).toEqual([expect.objectContaining({ boxId: 'gold-20', amount: '19.99', currency: 'USD' })]);
    expect(address()).toMatch(/^\/deposit\/crypto\/usdt_trc20\?network=trc20&depositId=/);
    expect(screen.getByRole('region', { name: 'Order summary' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Change' })).toBeNull();
  });

  test('[NAV-7] [SRV-6] a reload asks again by the same call with the same box, though it has sold out since', async () => {
    const depositId = '7d8f2f0e-2b0c-4b36-9d1a-0f3a2c1d4e5f';
    sessionStorage.setItem(
      'cashier.deposit-intent',
      JSON.stringify({ depositId, method: 'card_visa', boxId: 'gold-20' }),
    );
    const { bought, address, settle } = await open(`/deposit/host-to-host/card_visa?depositId=${depositId}`, {
      'sweepstake-boxes': boxesOf({ ...goldBox, remaining: 0 }),
      'deposit-status': {
        depositId,
        paymentMethod: 'card_visa',
        status: 0,
        amount: '19.99',
        currency: 'USD',
        created: '2026-01-01T00:00:00.000Z',
        serverTime: '2026-01-01T00:00:00.000Z',
      },
      'deposit-create-sweepstake': answered({ data: { card: { number: '4111111111111111' } } }),
    });
    await settle();
    expect(bought()).toEqual([expect.objectContaining({ depositId, boxId: 'gold-20', amount: '19.99' })]);
    expect(address()).toContain('/deposit/host-to-host/card_visa');
    expect(screen.getByText(/4111/)).toBeVisible();
  });
});
