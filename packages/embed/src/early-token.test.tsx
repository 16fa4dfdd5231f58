// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Cashier, createCashier } from './cashier.ts';
import type { CashierOptions } from './options.ts';
import { startWatched } from './start-fixture.ts';
import { cashierUrl, loaded, says } from './testing.ts';

let cashier: Cashier;
const frame = () => cashier.element as HTMLIFrameElement;
const settle = () => vi.advanceTimersByTimeAsync(0);
const loadedWith = (token: string) => ({ messageType: 'loaded', payload: { token } });

/** A `getToken` that numbers its answers. */
function counted() {
  let count = 0;
  return vi.fn<NonNullable<CashierOptions['getToken']>>(async () => `jwt-${++count}`);
}

function start(options?: Partial<CashierOptions>) {
  const watched = startWatched(options);
  cashier = watched.cashier;
  return { ...watched, messages: () => watched.posted.map(({ message }) => message) };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cashier.destroy();
  vi.useRealTimers();
});

test('[HOST-2] the token is asked for while the frame is loading, and is there when the widget listens', async () => {
  const getToken = counted();
  const { messages } = start({ getToken });
  await settle();
  expect(getToken).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(messages()).toEqual([]);
  says(frame(), loaded);
  await settle();
  expect(messages()).toEqual([loadedWith('jwt-1')]);
  expect(getToken).toHaveBeenCalledOnce();
});

test.each([
  [59_999, 'jwt-1'],
  [60_000, 'jwt-2'],
])('[HOST-11] of a frame that takes %i ms the first answer has the token %s', async (ms, token) => {
  const { messages } = start({ getToken: counted() });
  await settle();
  await vi.advanceTimersByTimeAsync(ms);
  says(frame(), loaded);
  await settle();
  expect(messages()).toEqual([loadedWith(token)]);
});

test('[HOST-11] a token is used once: what has expired is replaced by another', async () => {
  const { messages } = start({ getToken: counted() });
  await settle();
  says(frame(), loaded);
  await settle();
  says(frame(), { messageType: 'token-expired', payload: {} });
  await settle();
  expect(messages()).toEqual([loadedWith('jwt-1'), loadedWith('jwt-2')]);
});

test.each([
  ['rejects', () => Promise.reject(new Error('503'))],
  [
    'throws',
    () => {
      throw new TypeError('not ready');
    },
  ],
])('an early request that %s is not told, and Loaded asks again', async (_how, fail) => {
  const getToken = counted().mockImplementationOnce(fail);
  const onTokenFailed = vi.fn();
  const onProblem = vi.fn();
  const { messages } = start({ getToken, onTokenFailed, onProblem });
  await vi.advanceTimersByTimeAsync(1_000);
  says(frame(), loaded);
  await settle();
  expect(messages()).toEqual([loadedWith('jwt-1')]);
  expect(getToken).toHaveBeenCalledTimes(2);
  expect(onTokenFailed).not.toHaveBeenCalled();
  expect(onProblem).not.toHaveBeenCalled();
});

test('Loaded waits for an early request no longer than for its own, and the next Loaded asks again', async () => {
  const getToken = counted().mockImplementationOnce(() => new Promise(() => undefined));
  const onTokenFailed = vi.fn();
  const { messages } = start({ getToken, onTokenFailed });
  await vi.advanceTimersByTimeAsync(10_000);
  says(frame(), loaded);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(onTokenFailed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(onTokenFailed).toHaveBeenCalledOnce();
  says(frame(), loaded);
  await settle();
  expect(messages()).toEqual([loadedWith('jwt-1')]);
});

test('options that change one after the other ask for one token, and a cashier that is gone for none', async () => {
  const getToken = counted();
  start({ getToken });
  cashier.update({ locale: 'ar' });
  cashier.update({ theme: 'dark' });
  await settle();
  expect(getToken).toHaveBeenCalledOnce();
  cashier.update({ locale: 'de' });
  cashier.destroy();
  await settle();
  expect(getToken).toHaveBeenCalledOnce();
});

test('a modal that is not open asks for nothing', async () => {
  const getToken = counted();
  cashier = createCashier({ cashierUrl, partner: 'acme', mode: 'modal', getToken });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(getToken).not.toHaveBeenCalled();
});
