// @vitest-environment jsdom
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
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
      static getSupportedFormats = async () => ['qr_code'];
      detect = async () => [{ rawValue: `tron:${wallet}?amount=5` }];
    },
  );
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } });
}
const open = () => openWidget('/withdrawal/redirect/usdt_withdrawal', withdrawalServices());
const field = () => screen.getByRole('textbox', { name: 'Wallet address' });
const scan = () => screen.queryByRole('button', { name: 'Scan' });

test('[FORM-4] the address of a scanned code fills the field, and the camera stops', async () => {
  giveCamera(async () => ({ getTracks: () => [{ stop }] }));
  await open();
  await user.click(scan() ?? document.body);
  await vi.waitFor(() => expect(field()).toHaveValue(wallet));
  expect(screen.queryByRole('dialog')).toBeNull();
  await vi.waitFor(() => expect(stop).toHaveBeenCalledOnce());
});

test.each([
  ['NotAllowedError', 'Camera access is blocked. Allow it in your browser settings, or paste the address.'],
  ['NotFoundError', 'The camera is not available. Paste the address instead.'],
  ['NotReadableError', 'The camera is not available. Paste the address instead.'],
])('[FORM-4] a camera that answers %s says what to do instead', async (name, words) => {
  giveCamera(() => Promise.reject(new DOMException('no', name)));
  await open();
  await user.click(scan() ?? document.body);
  expect(await screen.findByText(words)).toBeVisible();
  expect(field()).toBeEnabled();
});

test('[FORM-4] without a camera no scan is offered; the address wraps, and Enter sends the form', async () => {
  const { services } = await open().then((widget) => ({ ...widget }));
  expect(scan()).toBeNull();
  expect(field().tagName).toBe('TEXTAREA');
  await user.type(field(), `${wallet.slice(0, 6)}{Enter}`);
  expect(field()).toHaveValue(wallet.slice(0, 6));
  expect(field()).toHaveAttribute('aria-invalid', 'true');
  expect(services.requestsOf('withdrawal-create')).toEqual([]);
});

test('[NET-3] a lost connection is said once at the top, once beside the button that was pressed, and disappears when it is back', async () => {
  await open();
  const words = () => screen.queryAllByText(/connection/i).map(({ textContent }) => textContent);
  expect(words()).toEqual([]);
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  const top = 'No response yet. Check your connection. We are still trying.';
  expect(words()).toEqual([top]);
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(words()).toEqual([top, 'No connection. Your request was not sent. Try again.']);
  online.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(words()).toEqual([]);
  online.mockRestore();
});
