// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Cashier, createCashier } from './cashier.ts';
import type { CashierOptions } from './options.ts';
import { startWatched } from './start-fixture.ts';
import { cashierUrl, loaded, says } from './testing.ts';

let cashier: Cashier;
const frame = () => cashier.element as HTMLIFrameElement;

function start(options?: Partial<CashierOptions>) {
  const watched = startWatched(options);
  cashier = watched.cashier;
  return watched;
}

function deferred() {
  let resolve: (token: string) => void = () => undefined;
  const promise = new Promise<string>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  cashier.destroy();
  vi.useRealTimers();
});

describe('the frame', () => {
  test('its address names the facts of the first list, and neither user nor token', () => {
    start({ locale: 'ar', theme: 'dark', payload: { userId: 'u-1', currency: 'EUR' }, getToken: () => 'secret' });
    expect(frame().src).toBe('https://pay.example.com/cashier/deposit?partner=acme&locale=ar&theme=dark&currency=EUR');
  });

  test('it is as light or dark as the look of the payload, so that nothing flashes while it loads', () => {
    start({ payload: { appearance: { theme: 'dark', variables: {} } } });
    expect(frame().style.colorScheme).toBe('dark');
    cashier.updateAppearance({ variables: { accent: '#9f1239' } });
    cashier.close();
    cashier.open();
    expect(frame().style.colorScheme).toBe('light dark');
    expect(frame().src).toMatch(/\?partner=acme&look=1$/);
  });

  test('it is sandboxed without top navigation, may write the clipboard and tells only the origin', () => {
    start();
    expect(frame().getAttribute('sandbox')).toBe(
      'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox',
    );
    expect(frame().getAttribute('allow')).toBe('clipboard-write; camera');
    expect(frame().referrerPolicy).toBe('strict-origin');
    expect(frame().title).toBe('Cashier');
  });

  test.each([
    ['javascript:alert(1)', 'acme'],
    ['pay.example.com', 'acme'],
    [cashierUrl, ''],
  ])('an impossible address %s or partner "%s" is refused at once', (url, partner) => {
    start();
    expect(() => createCashier({ cashierUrl: url, partner, container: document.body })).toThrow(TypeError);
  });
});

describe('answering', () => {
  test('[HOST-2] Loaded is answered with the payload and the token, to the exact origin', async () => {
    const { posted } = start({ payload: { currency: 'USD' }, getToken: async () => 'jwt' });
    says(frame(), loaded);
    await settle();
    expect(posted).toEqual([
      { message: { messageType: 'loaded', payload: { currency: 'USD', token: 'jwt' } }, origin: cashierUrl },
    ]);
  });

  test('Loaded said again while the token is under way asks for no second token', async () => {
    const waiting = deferred();
    const getToken = vi.fn(() => waiting.promise);
    const { posted } = start({ getToken });
    says(frame(), loaded);
    says(frame(), loaded);
    expect(getToken).toHaveBeenCalledTimes(1);
    waiting.resolve('jwt');
    await settle();
    expect(posted).toHaveLength(1);
  });

  test('[HOST-11] token-expired is answered by a second loaded with a fresh token, one at a time', async () => {
    let count = 0;
    const { posted } = start({ getToken: async () => `jwt-${++count}` });
    says(frame(), loaded);
    await settle();
    says(frame(), { messageType: 'token-expired', payload: {} });
    says(frame(), { messageType: 'token-expired', payload: {} });
    await settle();
    expect(posted.map(({ message }) => message)).toEqual([
      { messageType: 'loaded', payload: { token: 'jwt-1' } },
      { messageType: 'loaded', payload: { token: 'jwt-2' } },
    ]);
  });

  test('a failed token is told and the next Loaded tries again', async () => {
    const getToken = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('down')).mockResolvedValue('jwt');
    const onTokenFailed = vi.fn();
    const { posted } = start({ getToken, onTokenFailed });
    says(frame(), loaded);
    await settle();
    expect(onTokenFailed).toHaveBeenCalledOnce();
    says(frame(), loaded);
    await settle();
    expect(posted).toHaveLength(1);
  });

  test('a token that never comes does not block for ever', async () => {
    const onTokenFailed = vi.fn();
    const getToken = vi.fn().mockReturnValueOnce(deferred().promise).mockResolvedValue('jwt');
    const { posted } = start({ getToken, onTokenFailed });
    says(frame(), loaded);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(onTokenFailed).toHaveBeenCalledOnce();
    says(frame(), loaded);
    await settle();
    expect(posted).toHaveLength(1);
  });

  test('a getToken that throws at once fails once, and leaves no rejection behind', async () => {
    const onTokenFailed = vi.fn();
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    start({
      getToken() {
        throw new Error('down');
      },
      onTokenFailed,
    });
    says(frame(), loaded);
    await vi.advanceTimersByTimeAsync(20_000);
    vi.useRealTimers();
    await new Promise((resolve) => setTimeout(resolve));
    process.off('unhandledRejection', unhandled);
    expect(onTokenFailed).toHaveBeenCalledOnce();
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('a token that arrives after the cashier was removed is posted nowhere', async () => {
    const waiting = deferred();
    const { posted } = start({ getToken: () => waiting.promise });
    says(frame(), loaded);
    cashier.destroy();
    waiting.resolve('jwt');
    await settle();
    expect(posted).toEqual([]);
  });

  test('a token asked for before a new start is not given to the new frame, which asks for itself', async () => {
    const first = deferred();
    const { posted, spy } = start({ getToken: () => first.promise });
    says(frame(), loaded);
    cashier.update({ locale: 'ar' });
    spy();
    first.resolve('jwt');
    await settle();
    expect(posted).toEqual([]);
  });

  test('a widget of a newer protocol gets no token', async () => {
    const onError = vi.fn();
    const { posted } = start({ getToken: () => 'jwt', onError });
    says(frame(), { messageType: 'Loaded', payload: { version: 'v9', protocol: 2 } });
    await settle();
    expect(posted).toEqual([]);
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ code: 'unsupported-version' }));
  });

  test('silence for 15 s is told once; Loaded in time silences it', async () => {
    const onTimeout = vi.fn();
    start({ onTimeout });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(onTimeout).toHaveBeenCalledExactlyOnceWith({ afterMs: 15_000 });
    cashier.destroy();

    const never = vi.fn();
    start({ onTimeout: never });
    says(frame(), loaded);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(never).not.toHaveBeenCalled();
  });

  test('[HOST-3] bonuses travel with loaded when early and as an update when late', async () => {
    const { posted } = start({ getToken: () => 'jwt' });
    cashier.updateBonuses([]);
    expect(posted).toEqual([]);
    says(frame(), loaded);
    await settle();
    const bonus = { id: 'b', type: 'deposit' as const, currency: 'USD', content: { title: 'Bonus' } };
    cashier.updateBonuses([bonus]);
    cashier.bonusesFetched({ success: false });
    expect(posted.map(({ message }) => message)).toEqual([
      { messageType: 'loaded', payload: { bonusList: [], token: 'jwt' } },
      { messageType: 'bonus-list-updated', payload: { bonusList: [bonus] } },
      { messageType: 'bonus-list-fetched', payload: { success: false } },
    ]);
  });

  test('[UI-9] a look travels with loaded when early and as an update when late', async () => {
    const { posted } = start({ getToken: () => 'jwt' });
    cashier.updateAppearance({ theme: 'dark', variables: {} });
    says(frame(), loaded);
    await settle();
    const look = { variables: { accent: '#9f1239' } };
    cashier.updateAppearance(look);
    expect(posted.map(({ message }) => message)).toEqual([
      { messageType: 'loaded', payload: { appearance: { theme: 'dark', variables: {} }, token: 'jwt' } },
      { messageType: 'appearance-updated', payload: look },
    ]);
  });

  test('the log shows both directions and never the token', async () => {
    const onMessage = vi.fn();
    start({ getToken: () => 'very-secret', payload: { currency: 'USD' }, onMessage });
    says(frame(), loaded);
    await settle();
    expect(onMessage.mock.calls.map(([entry]) => entry)).toEqual([
      { direction: 'from-cashier', ...loaded },
      { direction: 'to-cashier', messageType: 'loaded', payload: { currency: 'USD' } },
    ]);
  });
});

describe('events', () => {
  test.each([
    ['init', { success: true }],
    ['init', { success: false, error: 'Incorrect data from host' }],
    ['transaction', { event: 'success', depositId: 'd-1' }],
    ['transaction', { event: 'decline', withdrawalId: 'w-1' }],
    ['metric', { key: 'deposit-create', value: 'ok', timestamp: 1 }],
    ['error', { code: 'host-flood', message: 'Too many messages' }],
    ['onLocaleError', { message: 'Missing translation for de: title' }],
    ['support', { depositId: 'd-1', paymentMethod: 'card_p2p' }],
    ['resize', { height: 640 }],
    ['token-expired', {}],
  ] as const)('%s reaches its listeners until they unsubscribe', (name, payload) => {
    start();
    const listener = vi.fn();
    const stop = cashier.on(name, listener);
    says(frame(), { messageType: name, payload: { ...payload, unknown: 1 } });
    stop();
    says(frame(), { messageType: name, payload });
    expect(listener).toHaveBeenCalledExactlyOnceWith(payload);
  });

  test('a listener that throws does not keep the others from hearing', () => {
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    const second = vi.fn();
    start({
      onInit: () => {
        throw new Error('mine');
      },
    });
    cashier.on('init', second);
    says(frame(), { messageType: 'init', payload: { success: true } });
    expect(second).toHaveBeenCalledOnce();
    expect(reported).toHaveBeenCalledOnce();
  });

  test('with autoHeight the frame is as high as its screen would like', () => {
    start({ autoHeight: true });
    says(frame(), { messageType: 'resize', payload: { height: 512.4 } });
    expect(frame().style.height).toBe('513px');
  });
});

describe('closing', () => {
  test('[HOST-14] close from the widget removes the frame and is told; it can be opened again', async () => {
    const onClose = vi.fn();
    start({ onClose });
    says(frame(), { messageType: 'close', payload: {} });
    expect(onClose).toHaveBeenCalledOnce();
    expect(document.querySelector('iframe')).toBeNull();
    cashier.open();
    expect(document.querySelector('iframe')).not.toBeNull();
  });

  test('[HOST-4] close() asks an answered widget and leaves an unanswered one', async () => {
    const { posted, spy } = start({ getToken: () => 'jwt' });
    cashier.close();
    expect(cashier.isOpen).toBe(false);
    cashier.open();
    spy();
    says(frame(), loaded);
    await settle();
    cashier.close();
    expect(posted.at(-1)).toEqual({ message: { messageType: 'close', payload: {} }, origin: cashierUrl });
    expect(cashier.isOpen).toBe(true);
  });

  test('a page that closes the cashier in onTimeout leaves the promise of the next opening open', async () => {
    const onTimeout = vi.fn(() => cashier.close());
    start({ onTimeout });
    const first = cashier.ready;
    await vi.advanceTimersByTimeAsync(15_000);
    expect(onTimeout).toHaveBeenCalledOnce();
    await expect(first).rejects.toThrow('closed');
    const next = cashier.ready;
    cashier.open();
    says(frame(), { messageType: 'init', payload: { success: true } });
    await expect(next).resolves.toBeUndefined();
  });

  test('open, close and on work without their handle', () => {
    const onClose = vi.fn();
    start();
    const { open, close, on } = cashier;
    on('close', onClose);
    close();
    expect(onClose).toHaveBeenCalledOnce();
    open();
    expect(cashier.isOpen).toBe(true);
  });

  test('what a removed frame says is dropped', () => {
    const onInit = vi.fn();
    start({ onInit });
    const gone = frame();
    const source = gone.contentWindow;
    cashier.destroy();
    says(gone, { messageType: 'init', payload: { success: true } }, { source });
    expect(onInit).not.toHaveBeenCalled();
  });

  test('update starts again with the new options and refuses impossible ones', () => {
    start({ locale: 'en' });
    cashier.update({ locale: 'ar' });
    expect(document.querySelectorAll('iframe')).toHaveLength(1);
    expect(frame().src).toContain('locale=ar');
    expect(() => cashier.update({ partner: '' })).toThrow(TypeError);
  });
});
