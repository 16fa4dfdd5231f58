// @vitest-environment jsdom
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Cashier } from './cashier.ts';
import type { CashierOptions } from './options.ts';
import { startWatched } from './start-fixture.ts';
import { cashierUrl, loaded, says } from './testing.ts';

let cashier: Cashier;
const frame = () => cashier.element as HTMLIFrameElement;
const settle = () => vi.advanceTimersByTimeAsync(0);

function start(options?: Partial<CashierOptions>) {
  const watched = startWatched(options);
  cashier = watched.cashier;
  return watched;
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  cashier.destroy();
  vi.useRealTimers();
});

describe('[HOST-7] strangers', () => {
  const wellFormed = fc.constantFrom<unknown>(
    loaded,
    { messageType: 'token-expired', payload: {} },
    { messageType: 'close', payload: {} },
    { messageType: 'init', payload: { success: true } },
  );
  const anything = fc.oneof(fc.anything({ withNullPrototype: true }), wellFormed);

  test('whatever comes from another window or origin changes nothing and is counted', async () => {
    const getToken = vi.fn(() => 'jwt');
    const onMessage = vi.fn();
    const { posted } = start({ getToken, onMessage });
    const stranger = document.createElement('iframe');
    document.body.append(stranger);
    const own = frame().contentWindow;
    const sender = fc.oneof(
      fc.record({ source: fc.constantFrom(window, stranger.contentWindow, null), origin: fc.constant(cashierUrl) }),
      fc.record({
        source: fc.constant(own),
        origin: fc.constantFrom(
          'null',
          '',
          'https://evil.example',
          `${cashierUrl}.evil.example`,
          'http://pay.example.com',
        ),
      }),
    );
    await fc.assert(
      fc.asyncProperty(anything, sender, async (data, { source, origin }) => {
        const before = cashier.dropped;
        says(frame(), data, { source, origin });
        await settle();
        expect(cashier.dropped).toBe(before + 1);
        expect(cashier.isOpen).toBe(true);
      }),
    );
    // The opening has asked for the token of its first answer, and no stranger for another.
    expect(getToken).toHaveBeenCalledOnce();
    expect(onMessage).not.toHaveBeenCalled();
    expect(posted).toEqual([]);
    stranger.remove();
  });

  test('nonsense from the right place is dropped and counted, and never throws', async () => {
    const onMessage = vi.fn();
    const { posted } = start({ getToken: () => 'jwt', onMessage });
    const nonsense = fc.oneof(
      fc.anything(),
      fc.record({ messageType: fc.string(), payload: fc.anything() }),
      fc.record({
        messageType: fc.constantFrom('Loaded', 'init', 'transaction', 'metric', 'error'),
        payload: fc.string(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(nonsense, async (data) => {
        const before = cashier.dropped;
        says(frame(), data);
        await settle();
        expect(cashier.dropped).toBe(before + 1);
      }),
    );
    expect(onMessage).not.toHaveBeenCalled();
    expect(posted).toEqual([]);
  });

  test('a flood from the right place asks for one token and one diagnosis at a time, and tells nobody else', async () => {
    const ask = vi.fn(() => new Promise<Response>(() => undefined));
    vi.stubGlobal('fetch', ask);
    const getToken = vi.fn(() => new Promise<string>(() => undefined));
    const { posted } = start({ getToken });
    const flood = [
      loaded,
      { messageType: 'token-expired', payload: {} },
      { messageType: 'init', payload: { success: false, error: 'x'.repeat(2048) } },
      { messageType: 'error', payload: { code: 'token-refused', message: 'Refused.' } },
      { messageType: 'error', payload: { code: 'token-refused', message: 'x'.repeat(1_000_000) } },
      { messageType: 'metric', payload: { key: 'k', value: 'x'.repeat(1_000_000), timestamp: 0 } },
    ];
    for (let round = 0; round < 500; round += 1) for (const message of flood) says(frame(), message);
    await vi.dynamicImportSettled();
    await settle();
    expect(getToken).toHaveBeenCalledOnce();
    expect(ask).toHaveBeenCalledOnce();
    // What is longer than any message of the protocol is not even looked at.
    expect(cashier.dropped).toBe(1000);
    expect(posted).toEqual([]);
  });

  test('a frame that the page has taken away hears nobody, not even a message without a source', () => {
    const onInit = vi.fn();
    start({ onInit });
    // As browsers have it for a frame outside the document; jsdom keeps its window.
    Object.defineProperty(frame(), 'contentWindow', { value: null });
    says(frame(), { messageType: 'init', payload: { success: true } }, { source: null });
    expect(onInit).not.toHaveBeenCalled();
    expect(cashier.dropped).toBe(1);
  });

  test('a message whose getters throw is dropped', () => {
    start();
    const trap = {
      get messageType(): string {
        throw new Error('trap');
      },
    };
    says(frame(), trap);
    expect(cashier.dropped).toBe(1);
  });
});
