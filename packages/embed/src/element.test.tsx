// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { defineCashierElement } from './element.ts';
import { OpenCashierElement } from './element-class.ts';
import { stubDialogs } from './modal-fixture.ts';
import { cashierUrl, loaded, says } from './testing.ts';

test('the element shows the cashier, asks its getToken and dispatches its events', async () => {
  defineCashierElement();
  defineCashierElement();
  const element = document.createElement('open-cashier') as OpenCashierElement;
  element.setAttribute('cashier-url', cashierUrl);
  element.setAttribute('partner', 'acme');
  document.body.append(element);
  // Set after it was put into the page, as frameworks do.
  element.payload = { currency: 'EUR' };
  element.getToken = vi.fn(() => 'jwt');
  await Promise.resolve();

  const frame = element.querySelector('iframe') as HTMLIFrameElement;
  const post = vi.spyOn(frame.contentWindow as Window, 'postMessage').mockReturnValue(undefined);
  const heard = vi.fn();
  element.addEventListener('cashier-init', heard);
  says(frame, loaded);
  await vi.waitFor(() => expect(post).toHaveBeenCalledOnce());
  expect(post).toHaveBeenCalledWith({ messageType: 'loaded', payload: { currency: 'EUR', token: 'jwt' } }, cashierUrl);
  says(frame, { messageType: 'init', payload: { success: true } });
  expect(heard).toHaveBeenCalledOnce();

  element.setAttribute('locale', 'ar');
  expect(element.querySelector('iframe')?.src).toContain('locale=ar');
  element.remove();
  expect(element.querySelector('iframe')).toBeNull();
});

test('the element loads its modal beforehand', async () => {
  stubDialogs();
  defineCashierElement();
  document.body.innerHTML = `<open-cashier cashier-url="${cashierUrl}" partner="acme" mode="modal"></open-cashier>`;
  const element = document.querySelector('open-cashier') as OpenCashierElement;
  await Promise.resolve();
  element.preload();
  const frame = document.querySelector('dialog:not([open]) iframe');
  expect(frame).not.toBeNull();
  element.open();
  expect(document.querySelector('dialog[open] iframe')).toBe(frame);
  element.remove();
});

test('[HOST-2] an element that the parser has made is answered with the token of the script that comes after it', async () => {
  defineCashierElement();
  document.body.innerHTML = `<open-cashier cashier-url="${cashierUrl}" partner="acme"></open-cashier>`;
  const element = document.querySelector('open-cashier') as OpenCashierElement;
  const failed = vi.fn();
  element.addEventListener('cashier-token-failed', failed);
  await Promise.resolve();
  const frame = element.querySelector('iframe') as HTMLIFrameElement;
  const post = vi.spyOn(frame.contentWindow as Window, 'postMessage').mockReturnValue(undefined);

  says(frame, loaded);
  await vi.waitFor(() => expect(failed).toHaveBeenCalledOnce());
  expect(post).not.toHaveBeenCalled();
  element.getToken = () => 'jwt';
  // The widget says it again until it is answered.
  says(frame, loaded);
  await vi.waitFor(() => expect(post).toHaveBeenCalledOnce());
  expect(post).toHaveBeenCalledWith({ messageType: 'loaded', payload: { token: 'jwt' } }, cashierUrl);
  element.remove();
});

test('what a page has set before the SDK was loaded is kept', async () => {
  class LateElement extends OpenCashierElement {}
  const element = document.createElement('late-cashier') as LateElement;
  Object.assign(element, { payload: { currency: 'EUR' }, getToken: () => 'jwt' });
  element.setAttribute('cashier-url', cashierUrl);
  element.setAttribute('partner', 'acme');
  document.body.append(element);
  customElements.define('late-cashier', LateElement);
  await Promise.resolve();

  const frame = element.querySelector('iframe') as HTMLIFrameElement;
  const post = vi.spyOn(frame.contentWindow as Window, 'postMessage').mockReturnValue(undefined);
  says(frame, loaded);
  await vi.waitFor(() => expect(post).toHaveBeenCalledOnce());
  expect(post).toHaveBeenCalledWith({ messageType: 'loaded', payload: { currency: 'EUR', token: 'jwt' } }, cashierUrl);
  // From now on the setter counts, though the page had set a property of its own.
  element.payload = { currency: 'USD' };
  const again = element.querySelector('iframe') as HTMLIFrameElement;
  expect(again).not.toBe(frame);
  element.remove();
});
