// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import type { Answers } from '../../kit/session/services-fixture.ts';
import { waysToRedeem } from '../../kit/sweepstake/box-fixture.ts';
import { quoted, redemptionServices, report, withdrawalId } from './redemption-fixture.ts';

const user = userEvent.setup();
const wallet = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const form = '/withdrawal/crypto/usdt_trc20_out';

const refused =
  (code: string, params: Record<string, string> = {}) =>
  () =>
    Promise.reject(new ClientError({ kind: 'refused', code, status: 422, message: code, params }));
const unreachable = () =>
  Promise.reject(new ClientError({ kind: 'network', code: 'socket.networkError', status: 0, message: 'lost' }));

async function open(path: string, answers: Answers = {}) {
  const services = redemptionServices(answers);
  const widget = await openWidget(path, services);
  const settle = async () => {
    for (let turn = 0; turn < 6; turn += 1) await widget.pass(0);
  };
  await settle();
  return {
    ...widget,
    services,
    settle,
    asked: () => services.requestsOf('payment-convert-v2') as { amount: string }[],
    created: () => services.requestsOf('withdrawal-create'),
  };
}

const amount = () => screen.getByRole('textbox', { name: 'Amount' });
const next = () => screen.getByRole('button', { name: /^(?:Continue|Redeem)/ });
const row = (title: string | RegExp) => screen.getByText(title).parentElement;

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  sessionStorage.clear();
});

describe('what can be redeemed', () => {
  test('[SWP-2] the page shows the balance, the unplayed and the redeemable coins above the methods in sweep coins', async () => {
    const { services } = await open('/withdrawal');
    expect(screen.getByRole('heading', { name: 'Redemption' })).toBeVisible();
    expect(row('Sweep coins')).toHaveTextContent(/80\.00\sSC/);
    expect(row('Left to play')).toHaveTextContent(/30\.00\sSC/);
    expect(row('Available to redeem')).toHaveTextContent(/50\.00\sSC/);
    expect(services.requestsOf('methods-withdrawal')).toEqual([{ country: 'US', currency: 'SC' }]);
    expect(services.requestsOf('sweepstake-recoup-sum')).toEqual([{ currency: 'SC' }]);
  });

  test.each(['sweepstake-balance-get', 'sweepstake-recoup-sum'])(
    '[SWP-3] without an answer of %s the balances are zero, and it is only logged',
    async (call) => {
      const { services, address } = await open('/withdrawal', { [call]: refused('internal') });
      expect(address()).toBe('/withdrawal');
      expect(row('Sweep coins')).toHaveTextContent(/0\.00\sSC/);
      expect(row('Available to redeem')).toHaveTextContent(/0\.00\sSC/);
      expect(services.metrics).toContainEqual(['sweepstake.balances-failed', 'internal']);
    },
  );

  test('[LIST-1] without a method the empty page is shown, and the host is told', async () => {
    const { services } = await open('/withdrawal', {
      'methods-withdrawal': { ...waysToRedeem, groups: [], methods: [] },
    });
    expect(screen.getByText('There are no payment methods available for this region')).toBeVisible();
    expect(services.posted).toContainEqual({
      messageType: 'error',
      payload: { code: 'nothing-offered', message: 'Empty withdrawal methods' },
    });
  });

  test('[SWP-2] the coins have their own list', async () => {
    const { address, settle } = await open('/withdrawal/crypto');
    await user.click(screen.getByRole('button', { name: 'Tether TRC-20' }));
    await settle();
    expect(address()).toBe(form);
  });

  test('[NAV-3] a coin that is not offered leads back to the methods', async () => {
    const { address } = await open('/withdrawal/crypto/doge');
    expect(address()).toBe('/withdrawal');
  });
});

describe('[SWP-2] [WD-2] an unfinished redemption below the methods', () => {
  const tile = () => screen.queryByRole('button', { name: /^Unfinished redemption/ });

  // Lazy in the widget; here only its reading takes time.
  beforeAll(() => import('../../kit/withdrawal/unfinished-withdrawal.tsx'));

  const openHeldFor = (leftMs: number) => {
    const now = redemptionServices().clock.now();
    const at = (ms: number) => new Date(now + ms).toISOString();
    const times = { created: at(leftMs - 900_000), expires: at(leftMs), serverTime: at(0) };
    return open('/withdrawal', { 'withdrawal-check': { withdrawal: { ...report, ...times } } });
  };

  test('is reported by the server in sweep coins, counts down, and leads to its confirm screen', async () => {
    const { services, address, pass } = await openHeldFor(760_000);
    expect(services.requestsOf('withdrawal-check')).toEqual([{ currency: 'SC' }]);
    expect(tile()).toHaveAccessibleName('Unfinished redemption, 12:40 left');
    expect(tile()).toHaveAccessibleDescription(/25\.00\sSC.*, Tether TRC-20/);
    await pass(1000);
    expect(tile()).toHaveAccessibleName('Unfinished redemption, 12:39 left');
    expect(document.body).not.toHaveTextContent(/withdraw/i);
    await user.click(tile() ?? document.body);
    await pass(0);
    expect(address()).toBe(`/withdrawal/confirm?withdrawalId=${withdrawalId}`);
  });

  test('disappears when its time is over', async () => {
    const { pass } = await openHeldFor(1000);
    expect(tile()).toHaveAccessibleName('Unfinished redemption, 00:01 left');
    await pass(1000);
    expect(tile()).toBeNull();
  });
});

describe('the conversion', () => {
  test('[SWP-2] half a second after the last digit the payout is requested, once; its rate and result are shown', async () => {
    const { asked, pass } = await open(form);
    await user.type(amount(), '2');
    await pass(400);
    await user.type(amount(), '5');
    await pass(499);
    expect(asked()).toEqual([]);
    await pass(1);
    expect(asked()).toEqual([{ amount: '25', from: 'SC', to: 'USDT', paymentMethod: 'usdt_trc20_out' }]);
    expect(row('You receive')).toHaveTextContent(/24\.00\sUSDT/);
    expect(row(/^Rate as of /)).toHaveTextContent('1 SC = 0.9998 USDT');
    expect(row('Fee')).toHaveTextContent(/1\.00\sSC/);
  });

  test('[SWP-2] typing on cancels the question, and a late answer to it is not shown', async () => {
    const answers: ((value: unknown) => void)[] = [];
    const { services, pass } = await open(form, {
      'payment-convert-v2': () => new Promise((resolve) => answers.push(resolve)),
    });
    await user.type(amount(), '25');
    await pass(500);
    await user.type(amount(), '0');
    expect(services.made.find(({ name }) => name === 'payment-convert-v2')?.options?.signal?.aborted).toBe(true);
    answers[0]?.(quoted({ amount: '25' }));
    await pass(0);
    expect(row('You receive')).not.toHaveTextContent('24.00');
  });

  test('[SWP-2] an amount that cannot be redeemed is not asked for, and says what can', async () => {
    const { asked, pass } = await open(form);
    await user.type(amount(), '60');
    await user.tab();
    await pass(1000);
    expect(asked()).toEqual([]);
    expect(screen.getByText(/Up to .*50\sSC.* is available now/)).toBeVisible();
  });

  test('[SWP-2] a quote is renewed before it ends', async () => {
    const { asked, pass, services } = await open(form, {
      'payment-convert-v2': (request: { amount: string }) => ({
        ...quoted(request),
        expires: new Date(services.clock.now() + 60_000).toISOString(),
      }),
    });
    await user.type(amount(), '25');
    await pass(500);
    expect(asked()).toHaveLength(1);
    await pass(54_999);
    expect(asked()).toHaveLength(1);
    await pass(1);
    expect(asked()).toHaveLength(2);
  });

  test('[SWP-2] an old rate is marked as old; it creates nothing, and a fresh rate is fetched', async () => {
    const { created, services, pass } = await open(form, {
      'payment-convert-v2': { amount: '24', rate: '0.9', isStale: true },
    });
    await user.type(amount(), '25');
    await user.type(screen.getByRole('textbox', { name: 'Wallet' }), wallet);
    await pass(500);
    expect(row('You receive')).toHaveTextContent(/about.*24\.00\sUSDT/);
    expect(screen.getByText(/This rate has expired/)).toBeVisible();
    await user.click(next());
    await pass(0);
    expect(created()).toEqual([]);
    services.answer('payment-convert-v2', quoted);
    await pass(15_000);
    expect(screen.queryByText(/This rate has expired/)).toBeNull();
    expect(row('You receive')).toHaveTextContent(/24\.00\sUSDT/);
  });

  test('[SWP-2] without a connection it keeps what was typed, and goes on by itself', async () => {
    const { services, pass } = await open(form, { 'payment-convert-v2': unreachable });
    await user.type(amount(), '25');
    await user.type(screen.getByRole('textbox', { name: 'Wallet' }), wallet);
    await pass(500);
    // Said over every screen, and not a second time beside the rate.
    expect(screen.queryByText(/No connection/)).toBeNull();
    expect(row('You receive')).toHaveTextContent('–');
    expect(amount()).toHaveValue('25');
    expect(screen.getByRole('textbox', { name: 'Wallet' })).toHaveValue(wallet);
    services.answer('payment-convert-v2', quoted);
    window.dispatchEvent(new Event('online'));
    await pass(0);
    expect(screen.queryByText(/No connection/)).toBeNull();
    expect(row('You receive')).toHaveTextContent(/24\.00\sUSDT/);
  });

  test('[SWP-3] a rate that fails to load is logged, and nothing else fails', async () => {
    const { services, address, pass } = await open(form, { 'payment-convert-v2': refused('not-found') });
    await user.type(amount(), '25');
    await pass(500);
    expect(row('You receive')).toHaveTextContent('–');
    expect(screen.getByText(/The exchange rate is not available right now/)).toBeVisible();
    expect(services.metrics).toContainEqual(['payout.rate-failed', 'not-found']);
    expect(address()).toBe(form);
  });
});

describe('the redemption', () => {
  async function filled(answers: Answers) {
    const opened = await open(form, answers);
    await user.type(amount(), '25');
    await user.type(screen.getByRole('textbox', { name: 'Wallet' }), wallet);
    await opened.pass(500);
    return opened;
  }
  const held = (request: { withdrawalId: string }) => ({
    withdrawalId: request.withdrawalId,
    status: 0,
    fee: '1.00',
    receives: '24.00',
    payout: { currency: 'USDT', amount: '24', rate: '0.9998' },
  });

  test('[SWP-2] is created in sweep coins with the shown quote, and continues with the confirm screen', async () => {
    const { created, address, settle } = await filled({ 'withdrawal-create': held });
    await user.click(next());
    await settle();
    expect(created()).toEqual([
      expect.objectContaining({
        amount: '25',
        currency: 'SC',
        paymentMethod: 'usdt_trc20_out',
        fields: { wallet },
        quote: 'quote-of-25',
      }),
    ]);
    expect(address()).toMatch(/^\/withdrawal\/confirm\?withdrawalId=/);
  });

  test('[SWP-2] a changed rate is shown before anything is held; the next press uses the new rate', async () => {
    const { created, services, settle } = await filled({
      'withdrawal-create': refused('rate-stale', { quote: 'fresh', amount: '23.5', rate: '0.98', currency: 'USDT' }),
    });
    await user.click(next());
    await settle();
    expect(screen.getByText(/The rate has changed. Nothing was deducted/)).toBeVisible();
    expect(row('You receive')).toHaveTextContent(/23\.50\sUSDT/);
    services.answer('withdrawal-create', held);
    await user.click(next());
    await settle();
    expect(created()).toHaveLength(2);
    expect(created()[1]).toEqual(expect.objectContaining({ quote: 'fresh' }));
  });

  test('[SWP-2] more than is played is refused in place, with what can be redeemed now', async () => {
    const { address, settle } = await filled({
      'withdrawal-create': refused('playthrough-required', { max: '20.00', unplayed: '60.00' }),
    });
    await user.click(next());
    await settle();
    expect(address()).toBe(form);
    expect(screen.getByText(/Up to .*20\sSC.* is available now/)).toBeVisible();
  });

  test('[CRY-4] an address of another network is refused with a message, before anything is sent', async () => {
    const { created, pass } = await open(form);
    await user.type(amount(), '25');
    await user.type(screen.getByRole('textbox', { name: 'Wallet' }), '0x52908400098527886E0F7030069857D2E4169EE7');
    await pass(500);
    await user.click(next());
    await pass(0);
    expect(await screen.findByText(/This address belongs to .*would be lost/)).toBeVisible();
    expect(created()).toEqual([]);
  });

  test('[NAV-7] [SWP-2] confirm and complete are restored from the server’s report, with the payout in the coin', async () => {
    const { services, pass, address, settle } = await open(`/withdrawal/confirm?withdrawalId=${withdrawalId}`, {
      'withdrawal-status': report,
    });
    expect(row('You receive')).toHaveTextContent(/23\.9952\sUSDT/);
    expect(screen.getByText('You redeem')).toBeVisible();
    expect(row(/^Rate as of /)).toHaveTextContent('1 SC = 0.9998 USDT');
    services.answer('withdrawal-confirm', { withdrawalId, status: 1 });
    services.answer('withdrawal-status', { ...report, status: 1, canCancel: false });
    await user.click(screen.getByRole('button', { name: 'Confirm redemption' }));
    await pass(0);
    await settle();
    expect(address()).toMatch(/^\/withdrawal\/complete\?/);
    expect(row('You receive')).toHaveTextContent(/23\.9952\sUSDT/);
  });

  test.each([
    ['/withdrawal/confirm', { status: 0 }],
    ['/withdrawal/complete', { status: 0 }],
    ['/withdrawal/complete', { status: 3, isOutcomeUnknown: true }],
    ['/withdrawal/complete', { status: 3 }],
    ['/withdrawal/complete', { status: 1 }],
    ['/withdrawal/complete', { status: 3, reason: 'withdrawal.reason.late' }],
    ['/withdrawal/complete', { status: 2 }],
    ['/withdrawal/complete', { status: 2, reason: 'withdrawal.reason.cancelled' }],
    ['/withdrawal/complete', { status: 2, reason: 'withdrawal.reason.code' }],
    ['/withdrawal/complete', { status: 2, reason: 'withdrawal.reason.declined' }],
    ['/withdrawal/complete', { status: 2, reason: 'withdrawal.reason.returned' }],
    ['/withdrawal/complete', { status: 3, reason: 'withdrawal.reason.approval' }],
    ['/withdrawal/complete', undefined],
  ])('[SWP-2] speaks of redeeming, never of withdrawing: %s %j', async (path, more) => {
    const answer = more === undefined ? refused('not-found') : { ...report, ...more };
    await open(`${path}?withdrawalId=${withdrawalId}`, { 'withdrawal-status': answer });
    expect(document.body).toHaveTextContent(/redemption/i);
    expect(document.body).not.toHaveTextContent(/withdraw|money|bank/i);
  });

  test('[SWP-2] a filled form speaks of redeeming, and so does a refusal', async () => {
    const { settle } = await filled({ 'withdrawal-create': refused('method-unavailable') });
    expect(next()).toHaveTextContent(/^Redeem .*25/);
    expect(document.body).not.toHaveTextContent(/withdraw/i);
    await user.click(next());
    await settle();
    expect(
      await screen.findByText('This redemption method is not available right now. Choose another one.'),
    ).toBeVisible();
  });
});
