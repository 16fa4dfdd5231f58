// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Cashier, createCashier } from './cashier.ts';
import { stubDialogs } from './modal-fixture.ts';
import type { CashierOptions } from './options.ts';
import { cashierUrl, loaded, says } from './testing.ts';

let cashier: Cashier;
const dialog = () => cashier.element as HTMLDialogElement;
const frame = () => dialog().querySelector('iframe') as HTMLIFrameElement;
const exit = () => dialog().querySelector('button') as HTMLButtonElement;

function start(options: Partial<CashierOptions> = {}) {
  cashier = createCashier({ cashierUrl, partner: 'acme', mode: 'modal', getToken: () => 'jwt', ...options });
}

beforeEach(() => {
  vi.useFakeTimers();
  stubDialogs();
});

afterEach(() => {
  cashier.destroy();
  vi.useRealTimers();
});

test('nothing is in the page until open(), and one frame after it', () => {
  start();
  expect(document.querySelector('dialog')).toBeNull();
  cashier.open();
  cashier.open();
  expect(document.querySelectorAll('dialog iframe')).toHaveLength(1);
  expect(dialog().open).toBe(true);
});

test('[HOST-4] Esc asks the widget and keeps the dialog; the widget then closes it', async () => {
  const onClose = vi.fn();
  start({ onClose });
  cashier.open();
  const post = vi.spyOn(frame().contentWindow as Window, 'postMessage').mockReturnValue(undefined);
  says(frame(), loaded);
  await vi.advanceTimersByTimeAsync(0);
  const cancel = new Event('cancel', { cancelable: true });
  dialog().dispatchEvent(cancel);
  expect(cancel.defaultPrevented).toBe(true);
  expect(post).toHaveBeenLastCalledWith({ messageType: 'close', payload: {} }, cashierUrl);
  expect(dialog().open).toBe(true);
  says(frame(), { messageType: 'close', payload: {} });
  expect(document.querySelector('dialog')).toBeNull();
  expect(onClose).toHaveBeenCalledOnce();
});

test('our own close button is there until the widget can show one, and comes back when it is silent', async () => {
  const onClose = vi.fn();
  start({ onClose, closeLabel: 'Schließen' });
  cashier.open();
  expect(exit().hidden).toBe(false);
  expect(exit().getAttribute('aria-label')).toBe('Schließen');
  vi.spyOn(frame().contentWindow as Window, 'postMessage').mockReturnValue(undefined);
  says(frame(), loaded);
  await vi.advanceTimersByTimeAsync(0);
  expect(exit().hidden).toBe(true);
  cashier.close();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(exit().hidden).toBe(false);
  exit().click();
  expect(onClose).toHaveBeenCalledOnce();
  expect(cashier.isOpen).toBe(false);
});

test('a browser that closes the dialog by itself leaves nothing behind', () => {
  const onClose = vi.fn();
  start({ onClose });
  cashier.open();
  dialog().close();
  expect(onClose).toHaveBeenCalledOnce();
  expect(document.querySelector('iframe')).toBeNull();
});
