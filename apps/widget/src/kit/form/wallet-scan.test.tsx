// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openWidget } from '../../app/shell-fixture.tsx';
import { withdrawalServices } from '../withdrawal/withdrawal-fixture.ts';

const user = userEvent.setup();
const wallet = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const stop = vi.fn();

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  stop.mockClear();
  HTMLMediaElement.prototype.play = async () => undefined;
  Object.defineProperty(HTMLMediaElement.prototype, 'readyState', { configurable: true, get: () => 4 });
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'mediaDevices');
});

function giveCamera(getUserMedia: () => Promise<unknown>): void {
  vi.stubGlobal(
    'BarcodeDetector',
    class {
      detect = async () => [{ rawValue: `tron:${wallet}?amount=5` }];
    },
  );
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } });
}
const open = () => openWidget('/withdrawal/redirect/usdt_withdrawal', withdrawalServices());
const field = () => screen.getByRole('textbox', { name: 'Wallet address' });
const scan = () => screen.queryByRole('button', { name: 'Scan' });

test('[FORM-4] the address of a scanned code fills the field, and the camera goes out', async () => {
  giveCamera(async () => ({ getTracks: () => [{ stop }] }));
  await open();
  await user.click(scan() ?? document.body);
  await vi.waitFor(() => expect(field()).toHaveValue(wallet));
  expect(screen.queryByRole('dialog')).toBeNull();
  await vi.waitFor(() => expect(stop).toHaveBeenCalledOnce());
});

test('[FORM-4] a camera that is refused says what to do instead', async () => {
  giveCamera(() => Promise.reject(new DOMException('no', 'NotAllowedError')));
  await open();
  await user.click(scan() ?? document.body);
  expect(await screen.findByText('The camera cannot be used. Paste the address instead.')).toBeVisible();
});

test('[FORM-4] where the platform reads no codes nothing is offered; the address wraps, and Enter sends the form', async () => {
  const { services } = await open().then((widget) => ({ ...widget }));
  expect(scan()).toBeNull();
  expect(field().tagName).toBe('TEXTAREA');
  await user.type(field(), `${wallet.slice(0, 6)}{Enter}`);
  expect(field()).toHaveValue(wallet.slice(0, 6));
  expect(field()).toHaveAttribute('aria-invalid', 'true');
  expect(services.requestsOf('withdrawal-create')).toEqual([]);
});

test('[WD-1] a lost connection is said at once, and gone when it is back', async () => {
  await open();
  const words = /^No connection\. Nothing is lost/;
  expect(screen.queryByText(words)).toBeNull();
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  window.dispatchEvent(new Event('offline'));
  expect(await screen.findByText(words)).toBeVisible();
  online.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(screen.queryByText(words)).toBeNull());
  online.mockRestore();
});
