// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { stubDialogs } from './modal-fixture.ts';
import { cashier } from './svelte.ts';
import { cashierUrl, says } from './testing.ts';

const base = { cashierUrl, partner: 'acme' };

test('Svelte: the newest callback hears, a new callback does not start again, a new option does', () => {
  const node = document.body.appendChild(document.createElement('div'));
  const [first, second] = [vi.fn(), vi.fn()];
  const action = cashier(node, { ...base, onInit: first });
  const frame = node.querySelector('iframe');
  action.update({ ...base, onInit: second });
  expect(node.querySelector('iframe')).toBe(frame);
  says(frame as HTMLIFrameElement, { messageType: 'init', payload: { success: true } });
  expect(first).not.toHaveBeenCalled();
  expect(second).toHaveBeenCalledOnce();
  action.update({ ...base, onInit: second, locale: 'ar' });
  expect(node.querySelectorAll('iframe')).toHaveLength(1);
  expect(node.querySelector('iframe')?.src).toContain('locale=ar');
  action.destroy();
  expect(document.querySelector('iframe')).toBeNull();
  node.remove();
});

test('Svelte: a modal is loaded beforehand, shown while `open` is true, and gone with its element', () => {
  stubDialogs();
  const node = document.createElement('div');
  const modal = { ...base, mode: 'modal' } as const;
  const action = cashier(node, { ...modal, open: false });
  expect(document.querySelector('iframe')).toBeNull();
  action.update({ ...modal, open: false, preload: true });
  const frame = document.querySelector('dialog:not([open]) iframe');
  expect(frame).not.toBeNull();
  action.update({ ...modal, open: true });
  expect(document.querySelector('dialog[open] iframe')).toBe(frame);
  action.destroy();
  expect(document.querySelector('iframe')).toBeNull();
});
