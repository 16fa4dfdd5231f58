// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MethodList } from '@opencashier/contract/api';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onThisDevice } from './device-wallets.ts';

const page = readFileSync(join(import.meta.dirname, '../../index.html'), 'utf8');
const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? [];

const apple = (canMakePayments: () => boolean) => ({ ApplePaySession: { canMakePayments } });
const payments = { PaymentRequest: class {} };
const chromium = { ...payments, navigator: { userAgentData: {} } };

/** Runs the script of the page in a browser with these globals. @returns the wallets that it finds */
function findWallets(globals: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, value] of Object.entries({ navigator: {}, ...globals })) vi.stubGlobal(name, value);
  new Function(script)();
  return document.documentElement.dataset['wallets'];
}

beforeEach(() => {
  delete document.documentElement.dataset['wallets'];
  document.body.innerHTML = '';
});
afterEach(() => {
  document.dispatchEvent(new Event('DOMContentLoaded', { bubbles: true }));
  vi.unstubAllGlobals();
});

test('[LIST-7] Apple Pay is for devices that can pay by it, also inside a frame that may not ask', () => {
  expect(findWallets({ ...payments, ...apple(() => true) })).toBe('apple');
  expect(findWallets({ ...payments, ...apple(() => false) })).toBe('');
  const refuse = () => {
    throw new DOMException('Another origin', 'InvalidAccessError');
  };
  expect(findWallets({ ...payments, ...apple(refuse) })).toBe('apple');
});

test('[LIST-7] Google Pay is for Chromium with payment requests: no web view, no Safari, no Firefox', () => {
  expect(findWallets(chromium)).toBe('google');
  vi.unstubAllGlobals();
  expect(findWallets({ navigator: { userAgentData: {} } })).toBe('');
  expect(findWallets({ ...chromium, ...apple(() => true) })).toBe('apple');
  vi.unstubAllGlobals();
  expect(findWallets(payments)).toBe('');
});

test('[LIST-7] [UI-5] tiles of other wallets leave the drawing while it is parsed, and the section knows before how many stay', async () => {
  const tiles = ['<li>Card</li>', '<li data-wallet="apple">Apple Pay</li>', '<li data-wallet="google">Google Pay</li>'];
  const parse = async () => {
    document.body.innerHTML =
      '<div data-drawn><section data-tiles="3" data-tile-wallets="apple google"></section></div>';
    await Promise.resolve();
    const section = document.querySelector('section');
    const known = section?.dataset['tiles'];
    section?.insertAdjacentHTML('beforeend', '<ul></ul>');
    await Promise.resolve();
    const list = section?.querySelector('ul');
    const isSingle = list?.dataset['single'];
    list?.insertAdjacentHTML('beforeend', tiles.join(''));
    await Promise.resolve();
    return { known, isSingle, text: list?.textContent, left: section?.dataset['tiles'] };
  };
  findWallets(chromium);
  expect(await parse()).toEqual({ known: '2', isSingle: undefined, text: 'CardGoogle Pay', left: '2' });
  document.dispatchEvent(new Event('DOMContentLoaded', { bubbles: true }));
  vi.unstubAllGlobals();
  findWallets({});
  expect(await parse()).toEqual({ known: '1', isSingle: 'true', text: 'Card', left: '1' });
});

test('[LIST-7] a method of another device leaves the list and its group, and a group that is then empty goes, too', () => {
  const method = (name: string, deviceWallet?: 'apple' | 'google') => ({ name, flags: { deviceWallet } });
  const list = {
    methods: [method('card'), method('applepay', 'apple'), method('googlepay', 'google')],
    groups: [
      { name: 'cards', paymentMethods: ['card', 'applepay'] },
      { name: 'wallets', paymentMethods: ['googlepay'] },
    ],
  } as unknown as MethodList;
  document.documentElement.dataset['wallets'] = 'apple google';
  expect(onThisDevice(list)).toBe(list);
  document.documentElement.dataset['wallets'] = 'apple';
  const shown = onThisDevice(list);
  expect(shown.methods.map(({ name }) => name)).toEqual(['card', 'applepay']);
  expect(shown.groups).toMatchObject([{ name: 'cards', paymentMethods: ['card', 'applepay'] }]);
  // A page whose script did not run, such as a test's.
  delete document.documentElement.dataset['wallets'];
  expect(onThisDevice(list).methods.map(({ name }) => name)).toEqual(['card']);
});
