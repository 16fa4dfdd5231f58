// @vitest-environment jsdom
import { render } from '@testing-library/react';
import { StrictMode } from 'react';
import { expect, test, vi } from 'vitest';
import { stubDialogs } from './modal-fixture.ts';
import { Cashier } from './react.tsx';
import { cashierUrl, says } from './testing.ts';

const frames = (container: HTMLElement) => [...container.querySelectorAll('iframe')];

test('the newest callback hears, a new callback does not start again, a new option does', () => {
  const first = vi.fn();
  const second = vi.fn();
  const view = render(<Cashier cashierUrl={cashierUrl} partner="acme" onInit={first} />, { wrapper: StrictMode });
  const [frame] = frames(view.container);
  view.rerender(<Cashier cashierUrl={cashierUrl} partner="acme" onInit={second} />);
  expect(frames(view.container)).toEqual([frame]);
  says(frame as HTMLIFrameElement, { messageType: 'init', payload: { success: true } });
  expect(first).not.toHaveBeenCalled();
  expect(second).toHaveBeenCalledOnce();

  view.rerender(<Cashier cashierUrl={cashierUrl} partner="acme" locale="ar" onInit={second} />);
  expect(frames(view.container)).toHaveLength(1);
  expect(frames(view.container)[0]?.src).toContain('locale=ar');
  view.unmount();
  expect(document.querySelector('iframe')).toBeNull();
});

test('a modal that is not open is loaded beforehand while `preload` is set, and shown in the same frame', () => {
  stubDialogs();
  const modal = <Cashier cashierUrl={cashierUrl} partner="acme" mode="modal" open={false} />;
  const view = render(modal);
  expect(document.querySelector('iframe')).toBeNull();
  view.rerender(<Cashier cashierUrl={cashierUrl} partner="acme" mode="modal" open={false} preload />);
  const frame = document.querySelector('dialog:not([open]) iframe');
  expect(frame).not.toBeNull();
  view.rerender(<Cashier cashierUrl={cashierUrl} partner="acme" mode="modal" open preload />);
  expect(document.querySelector('dialog[open] iframe')).toBe(frame);
  view.unmount();
  expect(document.querySelector('iframe')).toBeNull();
});

test('[HOST-15] every message reaches the callback of its name', () => {
  const heard = { onTransaction: vi.fn(), onLocaleError: vi.fn(), onTokenExpired: vi.fn() };
  const view = render(<Cashier cashierUrl={cashierUrl} partner="acme" {...heard} />);
  const [frame] = frames(view.container);
  const payload = { event: 'success', depositId: 'd-1' };
  says(frame as HTMLIFrameElement, { messageType: 'transaction', payload });
  says(frame as HTMLIFrameElement, { messageType: 'onLocaleError', payload: { message: 'missing' } });
  says(frame as HTMLIFrameElement, { messageType: 'token-expired' });
  expect(heard.onTransaction).toHaveBeenCalledExactlyOnceWith(payload);
  expect(heard.onLocaleError).toHaveBeenCalledExactlyOnceWith({ message: 'missing' });
  expect(heard.onTokenExpired).toHaveBeenCalledOnce();
  view.unmount();
});
