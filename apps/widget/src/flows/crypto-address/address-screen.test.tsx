// @vitest-environment jsdom
import type { NativeAction } from '@opencashier/contract/host';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { indiaCatalogue } from '../../kit/method/catalogue-fixture.ts';
import { createSession } from '../../kit/session/services-fixture.ts';
import {
  addresses,
  addressServer,
  type Create,
  cryptoServices,
  ether,
  report,
  tether,
  tron,
} from './crypto-address-fixture.ts';

const user = userEvent.setup();

const notFound = () =>
  Promise.reject(new ClientError({ kind: 'refused', code: 'not-found', status: 404, message: 'none' }));

const create = addressServer();

interface Opening {
  readonly isNative?: boolean;
  readonly nativeActions?: NativeAction[];
  /** What the entry of the history carries. */
  readonly state?: unknown;
}

async function open(
  answers: Record<string, unknown> = {},
  path = '/deposit/crypto/usdt',
  { isNative = false, nativeActions = [], state }: Opening = {},
) {
  const services = cryptoServices(
    { 'deposit-create': create, ...answers },
    createSession({ isNative }, { nativeActions }),
  );
  const widget = await openWidget(path, services, state);
  return { ...widget, posted: services.posted, creations: () => services.requestsOf('deposit-create') as Create[] };
}

const network = (name: string) => screen.getByRole('radio', { name });
const addressText = () => screen.getByText(tron.slice(5, -5), { exact: false, selector: 'bdi' });

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  sessionStorage.clear();
  cleanup();
});

describe('[CRY-1] the address', () => {
  test('comes at once, on the first network, whole and with bold ends', async () => {
    const { creations, address } = await open();
    expect(screen.getByRole('heading', { name: 'Tether' })).toBeVisible();
    expect(screen.getByText('Credited after 20 confirmations, about 5 min')).toBeVisible();
    expect(network('TRC-20')).toBeChecked();
    expect(creations()).toMatchObject([{ amount: '850.00', fields: { network: 'trc20' } }]);
    expect(addressText()).toHaveTextContent(tron);
    expect(addressText()).toHaveAttribute('dir', 'ltr');
    expect([...addressText().querySelectorAll('b')].map(({ textContent }) => textContent)).toEqual(['TXk9q', '3fAe5']);
    expect(screen.getByText(/Smaller amounts, and transfers on other networks, are not credited/)).toHaveTextContent(
      '10 USDT',
    );
    expect(screen.getByRole('link', { name: 'Guide' })).toBeVisible();
    expect(address()).toBe(`/deposit/crypto/usdt?network=trc20&depositId=${creations()[0]?.depositId}`);
  });

  test('shows the value of the minimum in the balance’s currency, with the time of the rate', async () => {
    const rate = { amount: '850.51', rate: '85.051', asOf: '2026-01-01T00:00:00Z' };
    const { services } = await open({ 'payment-convert-v2': rate });
    const worth = await screen.findByText(/about ⁨₹850.51⁩/);
    expect(worth).toHaveTextContent(/^⁨10 USDT⁩: about ⁨₹850.51⁩ · Rate as of .*\d:\d\d/);
    expect(services.requestsOf('payment-convert-v2')).toEqual([{ amount: '10', from: 'USDT', to: 'INR' }]);
  });

  test.each([
    ['no rate is known', notFound],
    ['the rate makes it less than the smallest coin of the currency', { amount: '0.00' }],
  ])('names its minimum alone where %s', async (_case, answer) => {
    const { pass, services } = await open({ 'payment-convert-v2': answer });
    await waitFor(() => expect(services.requestsOf('payment-convert-v2')).toHaveLength(1));
    await pass(0);
    expect(screen.getByText('10 USDT')).toBeVisible();
    expect(document.querySelector('[class*=worth]')).toBeNull();
  });

  test('is copied whole, and a tooltip says so for three seconds', async () => {
    const { pass } = await open();
    await user.click(screen.getByRole('button', { name: /^Copy address/ }));
    await pass(0);
    expect(await navigator.clipboard.readText()).toBe(tron);
    expect(screen.getByText('Copied')).toBeVisible();
    await pass(2999);
    expect(screen.getByText('Copied')).toBeVisible();
    await pass(1);
    expect(screen.queryByText('Copied')).toBeNull();
  });

  test('[HOST-13] is shared on native platforms only', async () => {
    const share = vi.fn(() => Promise.resolve());
    Object.defineProperty(navigator, 'share', { value: share, configurable: true });
    await open();
    expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
    cleanup();
    await open({}, '/deposit/crypto/usdt', { isNative: true });
    await user.click(screen.getByRole('button', { name: 'Share' }));
    expect(share).toHaveBeenCalledWith({ title: 'Tether', text: tron });
    Reflect.deleteProperty(navigator, 'share');
  });

  test('[HOST-13] is shared by the app that offers it, also where the browser has no sheet, and never on the web', async () => {
    const { posted } = await open({}, '/deposit/crypto/usdt', { isNative: true, nativeActions: ['share'] });
    await user.click(screen.getByRole('button', { name: 'Share' }));
    expect(posted).toContainEqual({ messageType: 'share', payload: { title: 'Tether', text: tron } });
    cleanup();
    await open({}, '/deposit/crypto/usdt', { nativeActions: ['share'] });
    expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
    cleanup();
    await open({}, '/deposit/crypto/usdt', { isNative: true, nativeActions: ['copy'] });
    expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
  });

  test('[NAV-7] that comes while the guide is loading does not replace the guide in the history', async () => {
    let arrive: (answer: unknown) => void = () => undefined;
    const late = new Promise((resolve) => {
      arrive = resolve;
    });
    const { address, pass, creations } = await open({ 'deposit-create': () => late });
    // What a tap on the guide does at once; its screen is fetched first, and this one still stands.
    history.pushState(null, '', `${location.pathname.replace('crypto/usdt', 'video-instruction')}?method=usdt`);
    arrive(create(creations()[0] as Create));
    await pass(0);
    expect(address()).toBe('/deposit/video-instruction?method=usdt');
  });

  test('of another network is another deposit; coming back shows the first one again', async () => {
    const { creations, pass } = await open();
    await user.click(network('ERC-20'));
    await pass(0);
    expect(creations()[1]?.fields).toEqual({ network: 'erc20' });
    expect(creations()[1]?.depositId).not.toBe(creations()[0]?.depositId);
    expect(screen.getAllByText('20 USDT')[0]).toBeVisible();
    expect(screen.getByText('Credited after 16 confirmations, about 10 min')).toBeVisible();
    await user.click(network('TRC-20'));
    await pass(0);
    expect(addressText()).toHaveTextContent(tron);
    expect(new Set(creations().map(({ depositId }) => depositId)).size).toBe(2);
  });

  test('[UI-3] of another network is announced; the first one is not', async () => {
    const { pass } = await open();
    const name = 'address';
    const said = () =>
      screen
        .getAllByRole('status')
        .map(({ textContent }) => textContent)
        .join();
    expect(said()).not.toContain(name);
    await user.click(network('ERC-20'));
    await pass(0);
    expect(said()).toContain(`ERC-20 ${name}`);
    await user.click(network('TRC-20'));
    await pass(0);
    expect(said()).toContain(`TRC-20 ${name}`);
  });

  test('of a network that was left early never shares its key with the next one', async () => {
    const { creations, services, pass } = await open();
    services.answer('deposit-create', (request: Create) =>
      request.fields['network'] === 'bep20' ? new Promise(() => undefined) : create(request),
    );
    await user.click(network('BEP-20'));
    await pass(0);
    await user.click(network('ERC-20'));
    await pass(0);
    expect(creations().map(({ fields }) => fields['network'])).toEqual(['trc20', 'bep20', 'erc20']);
    expect(new Set(creations().map(({ depositId }) => depositId)).size).toBe(3);
    expect(screen.getByText(ether.slice(5, -5), { exact: false, selector: 'bdi' })).toBeVisible();
  });

  test('that is missing is reported, and nothing can be scanned or copied', async () => {
    const { pass } = await open();
    await user.click(network('BEP-20'));
    await pass(0);
    expect(screen.getByText('No address for this network right now')).toBeVisible();
    expect(screen.queryByRole('img', { name: /QR/ })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Copy address/ })).toBeNull();
    expect(screen.queryByText('Waiting for your transfer')).toBeNull();
  });

  test('of another network than the chosen one is never shown', async () => {
    await open({
      'deposit-create': ({ depositId }: Create) => ({
        apiResponse: { depositId, data: { ...addresses['erc20'], network: 'erc20' } },
      }),
    });
    expect(screen.getByText('No address for this network right now')).toBeVisible();
    expect(screen.queryByText(ether, { exact: false })).toBeNull();
  });

  test('an address that failed to load can be requested again, under a new key', async () => {
    const refused = () =>
      Promise.reject(new ClientError({ kind: 'refused', code: 'provider-error', status: 502, message: 'down' }));
    const { services, creations, pass } = await open({ 'deposit-create': refused });
    expect(screen.getByText('We could not get an address')).toBeVisible();
    services.answer('deposit-create', create);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await pass(0);
    expect(addressText()).toHaveTextContent(tron);
    expect(creations()[1]?.depositId).not.toBe(creations()[0]?.depositId);
  });
});

test('[CRY-5] the code carries the payment URI, and the plain address can be chosen', async () => {
  const { pass } = await open({}, '/deposit/crypto/usdt?network=erc20');
  const path = async () => {
    await pass(0);
    const code = await screen.findByRole('img', { name: /QR/ });
    return code.querySelector('path')?.getAttribute('d');
  };
  const whole = await path();
  expect(screen.getByRole('link', { name: 'Open in wallet' })).toHaveAttribute('href', `ethereum:${ether}@1?value=1`);
  await user.click(screen.getByRole('button', { name: 'Show address-only code' }));
  const plain = await path();
  expect(plain).not.toBe(whole);
  await user.click(screen.getByRole('button', { name: 'Show full payment code' }));
  expect(await path()).toBe(whole);
});

test('[CRY-1] [CRY-5] if users share one address, the memo and a warning are shown beside it', async () => {
  const wallet = 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA';
  const memo = '7K3QF0MZ2XWA';
  const uri = `ton://transfer/${wallet}?amount=500000000&text=${memo}`;
  const method = { ...tether, fields: [], network: 'ton', flags: { linkSchemes: ['ton'] } };
  const data = { depositAddress: wallet, depositMemo: memo, qrCodeText: uri, cryptoName: 'USDT', network: 'ton' };
  await open({
    'methods-payment-v5': { ...indiaCatalogue, methods: [method] },
    'deposit-create': ({ depositId }: Create) => ({ apiResponse: { depositId, data } }),
  });
  expect(screen.getByText(/Without it, we cannot match the transfer to you/)).toHaveTextContent(memo);
  const written: string[] = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void written.push(text));
  await user.click(screen.getByRole('button', { name: /Copy address/ }));
  await user.click(screen.getByRole('button', { name: /Copy memo/ }));
  expect(written).toEqual([wallet, memo]);
  expect(screen.getByRole('link', { name: 'Open in wallet' })).toHaveAttribute('href', uri);
});

describe('[NAV-7] a reload', () => {
  test('shows the same address of the same deposit', async () => {
    const first = await open();
    const id = first.creations()[0]?.depositId;
    cleanup();
    sessionStorage.clear();
    const second = await open({ 'deposit-create': first.creations().length ? create : undefined }, first.address());
    expect(addressText()).toHaveTextContent(tron);
    expect(second.creations().map(({ depositId }) => depositId)).toEqual([id]);
  });

  test('of an ended deposit leads to its outcome; the coin opened again gets a new address', async () => {
    const first = await open();
    const at = first.address();
    cleanup();
    const over = await open({ 'deposit-status': report({ status: 2 }) }, at);
    expect(over.address()).toBe(`/deposit/complete?depositId=${first.creations()[0]?.depositId}&method=usdt`);
  });

  test('a known address whose deposit has ended is replaced by a new one', async () => {
    const first = await open();
    cleanup();
    const old = first.creations()[0]?.depositId;
    const second = await open({
      'deposit-status': ({ depositId }: Create) => report({ status: depositId === old ? 2 : 0 })({ depositId }),
    });
    expect(addressText()).toHaveTextContent(tron);
    expect(second.address()).not.toContain(String(old));
  });

  test('of a known address leads to the outcome of its deposit, if it has ended meanwhile', async () => {
    const first = await open();
    const id = first.creations()[0]?.depositId;
    cleanup();
    const second = await open();
    expect(second.address()).toContain(String(id));
    const [at, state] = [second.address(), history.state];
    cleanup();
    const over = await open({ 'deposit-status': report({ status: 2 }) }, at, { state });
    expect(over.address()).toBe(`/deposit/complete?depositId=${id}&method=usdt`);
  });

  test('an end that comes while the guide is loading does not replace the guide in the history', async () => {
    const { address, pass, services } = await open();
    history.pushState(null, '', `${location.pathname.replace('crypto/usdt', 'video-instruction')}?method=usdt`);
    services.answer('deposit-status', report({ status: 2 }));
    await pass(2000);
    expect(address()).toBe('/deposit/video-instruction?method=usdt');
  });
});

test('[CRY-1] the list of coins shows their codes and networks and opens their addresses', async () => {
  const { pass, address } = await open({ 'deposit-status': notFound }, '/deposit/crypto');
  const tile = screen.getByRole('button', { name: 'Tether' });
  expect(tile).toHaveAccessibleDescription('USDT · ERC-20, TRC-20, and BEP-20');
  expect(tile.querySelector('img')).toHaveAttribute('src', expect.stringMatching(/\/icons\/usdt\.svg$/));
  await user.click(tile);
  await pass(0);
  expect(address()).toContain('/deposit/crypto/usdt');
});
