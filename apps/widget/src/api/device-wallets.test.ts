import type { MethodList } from '@opencashier/contract/api';
import { expect, test } from 'vitest';
import { canHaveWallet, onThisDevice } from './device-wallets.ts';

const apple = (canMakePayments: () => boolean) => ({ ApplePaySession: { canMakePayments }, PaymentRequest: class {} });
const chromium = { PaymentRequest: class {}, navigator: { userAgentData: {} } };

test('[LIST-7] Apple Pay is for devices that can pay by it, also inside a frame that may not ask', () => {
  expect(
    canHaveWallet(
      'apple',
      apple(() => true),
    ),
  ).toBe(true);
  expect(
    canHaveWallet(
      'apple',
      apple(() => false),
    ),
  ).toBe(false);
  const refuse = () => {
    throw new DOMException('Another origin', 'InvalidAccessError');
  };
  expect(canHaveWallet('apple', apple(refuse))).toBe(true);
  expect(canHaveWallet('apple', chromium)).toBe(false);
});

test('[LIST-7] Google Pay is for Chromium with payment requests: no web view, no Safari, no Firefox', () => {
  expect(canHaveWallet('google', chromium)).toBe(true);
  expect(canHaveWallet('google', { navigator: { userAgentData: {} } })).toBe(false);
  expect(canHaveWallet('google', { ...chromium, ...apple(() => true) })).toBe(false);
  expect(canHaveWallet('google', { navigator: {} })).toBe(false);
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
  expect(onThisDevice(list, () => true)).toBe(list);
  const shown = onThisDevice(list, (wallet) => wallet === 'apple');
  expect(shown.methods.map(({ name }) => name)).toEqual(['card', 'applepay']);
  expect(shown.groups).toMatchObject([{ name: 'cards', paymentMethods: ['card', 'applepay'] }]);
});
