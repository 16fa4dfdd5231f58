// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Cashier, createCashier } from './cashier.ts';
import { callbackEvents } from './events.ts';
import { stubDialogs } from './modal-fixture.ts';
import type { CashierOptions } from './options.ts';
import { cashierUrl, loaded, says } from './testing.ts';

const minutes = 60_000;
const bonus = { id: 'b', type: 'deposit' as const, currency: 'EUR', content: { title: 'Bonus' } };

let cashier: Cashier;
const getToken = vi.fn(async () => 'jwt');
/** Every event of the handle, in order. */
let heard: string[];

const frames = () => [...document.querySelectorAll('iframe')];
const settle = () => vi.advanceTimersByTimeAsync(0);
/** Lets the code of payments come, which real time brings. */
const withParts = async () => {
  await vi.dynamicImportSettled();
  await settle();
};

function frame(): HTMLIFrameElement {
  const [only, ...others] = frames();
  if (!only || others.length > 0) throw new Error(`${frames().length} frames`);
  return only;
}

/** Records what is posted to the frame from now on. */
function watch(watched: HTMLIFrameElement): unknown[] {
  const posted: unknown[] = [];
  vi.spyOn(watched.contentWindow as Window, 'postMessage').mockImplementation(
    ((message: unknown) => void posted.push(message)) as Window['postMessage'],
  );
  return posted;
}

function start(options: Partial<CashierOptions> = {}): void {
  cashier = createCashier({
    cashierUrl,
    partner: 'acme',
    mode: 'modal',
    payload: { currency: 'EUR' },
    getToken,
    ...options,
  });
  heard = [];
  for (const name of Object.values(callbackEvents)) cashier.on(name, () => heard.push(name));
}

beforeEach(() => {
  vi.useFakeTimers();
  stubDialogs();
  getToken.mockReset().mockResolvedValue('jwt');
});
afterEach(() => {
  cashier.destroy();
  vi.useRealTimers();
});

describe('a preloaded modal', () => {
  test('[HOST-1] is in the page and loads, but nobody can see, reach or hear it, and no token is asked for', async () => {
    start();
    cashier.preload();
    expect(frame().src).toBe(`${cashierUrl}/cashier/deposit?partner=acme&currency=EUR&preload=1`);
    const dialog = cashier.element as HTMLDialogElement;
    expect(dialog.contains(frame())).toBe(true);
    expect(dialog.open).toBe(false);
    expect(dialog.inert).toBe(true);
    const { display, position, visibility } = dialog.style;
    // Rendered, because a frame without a box may stay unloaded or without a layout.
    expect({ display, position, visibility }).toEqual({ display: 'block', position: 'fixed', visibility: 'hidden' });
    says(frame(), loaded);
    says(frame(), { messageType: 'metric', payload: { key: 'k', value: 1, timestamp: 0 } });
    says(frame(), loaded, { source: window });
    await vi.advanceTimersByTimeAsync(10 * minutes - 1);
    expect(getToken).not.toHaveBeenCalled();
    expect(heard).toEqual([]);
    expect(cashier.isOpen).toBe(false);
    expect(cashier.dropped).toBe(0);
  });

  test('[HOST-2] is shown by open() in the same place without a load, and its greeting is answered at once', async () => {
    start();
    cashier.preload();
    const preloaded = frame();
    const posted = watch(preloaded);
    const { parentNode } = preloaded;
    const moved = vi.spyOn(Element.prototype, 'prepend');
    const appended = vi.spyOn(Element.prototype, 'append');
    says(preloaded, loaded);
    await vi.advanceTimersByTimeAsync(5 * minutes);
    cashier.open();
    expect(frame()).toBe(preloaded);
    expect(preloaded.parentNode).toBe(parentNode);
    expect([moved, appended].flatMap(({ mock }) => mock.calls)).toEqual([]);
    const dialog = cashier.element as HTMLDialogElement;
    expect([dialog.open, dialog.inert, dialog.style.visibility, dialog.style.display]).toEqual([true, false, '', '']);
    // The widget has its own close button, and the focus.
    expect(dialog.querySelector('button')?.hidden).toBe(true);
    expect(document.activeElement).toBe(preloaded);
    await settle();
    expect(posted).toEqual([{ messageType: 'loaded', payload: { currency: 'EUR', token: 'jwt' } }]);
    expect(getToken).toHaveBeenCalledOnce();
    // The greeting and its answer.
    expect(heard).toEqual(['message', 'message']);
    const { ready } = cashier;
    says(preloaded, { messageType: 'init', payload: { success: true } });
    await expect(ready).resolves.toBeUndefined();
    await vi.advanceTimersByTimeAsync(20 * minutes);
    expect(cashier.isOpen).toBe(true);
  });

  test('that is opened while it loads is answered when it greets', async () => {
    start();
    cashier.preload();
    const posted = watch(frame());
    await vi.advanceTimersByTimeAsync(1_000);
    cashier.open();
    await settle();
    expect(getToken).toHaveBeenCalledOnce();
    expect(posted).toEqual([]);
    says(frame(), loaded);
    await settle();
    expect(posted).toHaveLength(1);
    expect(getToken).toHaveBeenCalledOnce();
  });

  test('that stays silent after the opening is told 15 s after it', async () => {
    start();
    cashier.preload();
    await vi.advanceTimersByTimeAsync(14_999);
    cashier.open();
    await vi.advanceTimersByTimeAsync(14_999);
    expect(heard).not.toContain('timeout');
    await vi.advanceTimersByTimeAsync(1);
    expect(heard).toContain('timeout');
  });

  test('is one frame, however often it is asked for, and none while the cashier is open or destroyed', () => {
    start();
    cashier.preload();
    const first = frame();
    cashier.preload();
    expect(frame()).toBe(first);
    cashier.open();
    cashier.preload();
    expect(frame()).toBe(first);
    cashier.close();
    expect(frames()).toEqual([]);
    cashier.preload();
    expect(frame()).not.toBe(first);
    cashier.destroy();
    expect(document.querySelector('dialog')).toBeNull();
    cashier.preload();
    expect(frames()).toEqual([]);
  });
});

describe('a preloaded frame is given up', () => {
  test('after ten minutes, and loaded again only when the host asks', async () => {
    start();
    cashier.preload();
    says(frame(), loaded);
    await vi.advanceTimersByTimeAsync(10 * minutes);
    expect(document.querySelector('dialog')).toBeNull();
    cashier.update({ locale: 'ar' });
    expect(frames()).toEqual([]);
    cashier.preload();
    expect(frame().src).toContain('&preload=1');
    cashier.open();
    expect(frame().src).toContain('&preload=1');
  });

  test('by its age, when a timer is late after a sleep of the device', () => {
    start();
    cashier.preload();
    says(frame(), loaded);
    vi.setSystemTime(Date.now() + 10 * minutes);
    cashier.open();
    expect(frame().src).not.toContain('preload');
  });

  test('when it has not greeted within 15 s: it may never have arrived', async () => {
    start();
    cashier.preload();
    await vi.advanceTimersByTimeAsync(15_000);
    cashier.open();
    expect(frame().src).not.toContain('preload');
  });

  test('when its widget is older and gives up, and no event says so', async () => {
    start();
    cashier.preload();
    says(frame(), loaded);
    says(frame(), { messageType: 'init', payload: { success: false, error: 'The host did not answer' } });
    expect(frames()).toEqual([]);
    expect(heard).toEqual([]);
    cashier.open();
    expect(frame().src).not.toContain('preload');
    expect(heard).toEqual([]);
  });

  test('when the page has taken it away', () => {
    start();
    cashier.preload();
    document.body.replaceChildren();
    cashier.open();
    expect(frame().src).not.toContain('preload');
    expect((cashier.element as HTMLDialogElement).inert).toBe(false);
  });
});

describe('a change after preload()', () => {
  test('of the address loads another frame, and of anything else keeps it', async () => {
    start();
    cashier.preload();
    const first = frame();
    cashier.update({ payload: { currency: 'EUR', userId: 'u-1' } });
    expect(frame()).toBe(first);
    cashier.update({ locale: 'ar' });
    expect(frame()).not.toBe(first);
    expect(frame().src).toMatch(/locale=ar&currency=EUR&preload=1$/);
    const posted = watch(frame());
    says(frame(), loaded);
    cashier.open();
    await settle();
    expect(posted).toEqual([{ messageType: 'loaded', payload: { currency: 'EUR', userId: 'u-1', token: 'jwt' } }]);
  });

  test.each<[string, () => void, RegExp]>([
    ['a bonus', () => cashier.updateBonuses([bonus]), /&bonuses=1&preload=1$/],
    ['bonuses that were fetched', () => cashier.bonusesFetched({ success: true, bonusList: [bonus] }), /&bonuses=1&/],
    ['a look', () => cashier.updateAppearance({ variables: { accent: '#9f1239' } }), /&look=1&preload=1$/],
  ])('%s that changes the address loads another frame', (_what, change, address) => {
    start();
    change();
    expect(frames()).toEqual([]);
    cashier.destroy();
    start();
    cashier.preload();
    const first = frame();
    change();
    expect(frame()).not.toBe(first);
    expect(frame().src).toMatch(address);
  });
});

describe('a payment after preload()', () => {
  test('uses the frame when the address is the same, and begins with its amount', async () => {
    start();
    cashier.preload();
    const preloaded = frame();
    const posted = watch(preloaded);
    says(preloaded, loaded);
    void cashier.deposit({ amount: '25.00' });
    await withParts();
    expect(frame()).toBe(preloaded);
    const begun = { direction: 'deposit', currency: 'EUR', amount: '25.00' };
    expect(posted).toEqual([{ messageType: 'loaded', payload: { currency: 'EUR', start: begun, token: 'jwt' } }]);
  });

  test('of another path has a frame of its own, and the preloaded one is gone', async () => {
    start();
    cashier.preload();
    says(frame(), loaded);
    void cashier.withdraw();
    await withParts();
    expect(frame().src).toBe(`${cashierUrl}/cashier/withdrawal?partner=acme&currency=EUR`);
    cashier.close();
    expect(frames()).toEqual([]);
  });
});

describe('a preloaded widget greets once and waits, so a failure at its opening loads the usual one in its place', () => {
  test('[HOST-11] when getToken fails: it greets again, and is answered', async () => {
    getToken.mockRejectedValueOnce(new Error('503'));
    start();
    cashier.preload();
    const preloaded = frame();
    says(preloaded, loaded);
    cashier.open();
    await settle();
    expect(heard).toContain('token-failed');
    expect(frame()).toBe(preloaded);
    expect(preloaded.src).toBe(`${cashierUrl}/cashier/deposit?partner=acme&currency=EUR`);
    // Until the widget greets, a person can leave by our own button.
    const exit = cashier.element.querySelector('button');
    expect(exit?.hidden).toBe(false);
    const posted = watch(preloaded);
    says(preloaded, loaded);
    await settle();
    expect(posted).toHaveLength(1);
    expect(exit?.hidden).toBe(true);
  });

  test('once: a second failure leaves the usual widget to greet again', async () => {
    getToken.mockRejectedValue(new Error('503'));
    start();
    cashier.preload();
    says(frame(), loaded);
    cashier.open();
    await settle();
    const put = vi.spyOn(Element.prototype, 'replaceWith');
    says(frame(), loaded);
    await settle();
    expect(heard.filter((name) => name === 'token-failed')).toHaveLength(2);
    expect(put).not.toHaveBeenCalled();
  });

  test('[HOST-11] not when a later token fails, after it was answered', async () => {
    start();
    cashier.preload();
    says(frame(), loaded);
    watch(frame());
    cashier.open();
    await settle();
    getToken.mockRejectedValue(new Error('503'));
    says(frame(), { messageType: 'token-expired', payload: {} });
    await settle();
    expect(heard).toContain('token-failed');
    expect(frame().src).toContain('&preload=1');
  });

  test('a page that closes the cashier in onTokenFailed has nothing left in it', async () => {
    getToken.mockRejectedValue(new Error('503'));
    start({ onTokenFailed: () => cashier.close() });
    cashier.preload();
    says(frame(), loaded);
    cashier.open();
    await settle();
    expect(frames()).toEqual([]);
    expect(document.querySelector('dialog')).toBeNull();
  });

  test('a widget of a newer protocol gets no token, and the page hears it at the opening alone', async () => {
    start();
    cashier.preload();
    says(frame(), { messageType: 'Loaded', payload: { version: 'v9', protocol: 2 } });
    expect(heard).toEqual([]);
    const posted = watch(frame());
    cashier.open();
    await settle();
    expect(posted).toEqual([]);
    expect(heard).toEqual(['message', 'error']);
    expect(frame().src).not.toContain('preload');
  });
});

describe('an inline cashier that was closed', () => {
  test('is preloaded in its container without a trace, and opened there', async () => {
    start({ mode: 'inline', container: document.body });
    cashier.preload();
    expect(frame().src).not.toContain('preload');
    cashier.close();
    cashier.preload();
    const preloaded = frame();
    const shown = preloaded.style.cssText;
    expect(preloaded.parentNode).toBe(document.body);
    expect([preloaded.inert, preloaded.style.visibility, preloaded.style.position]).toEqual([true, 'hidden', 'fixed']);
    const posted = watch(preloaded);
    says(preloaded, loaded);
    cashier.open();
    expect(cashier.element).toBe(preloaded);
    expect([preloaded.inert, preloaded.style.visibility, preloaded.style.position]).toEqual([false, '', '']);
    expect(preloaded.style.width).toBe('100%');
    expect(shown).toContain('width: 100%');
    await settle();
    expect(posted).toHaveLength(1);
  });

  test('cannot be preloaded into a container that is gone', () => {
    const container = document.createElement('div');
    container.id = 'cashier-place';
    document.body.append(container);
    start({ mode: 'inline', container: '#cashier-place' });
    cashier.close();
    container.remove();
    expect(() => cashier.preload()).toThrow(TypeError);
    expect(vi.getTimerCount()).toBe(0);
  });
});
