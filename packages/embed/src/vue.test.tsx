// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { createApp, h, nextTick, reactive } from 'vue';
import { stubDialogs } from './modal-fixture.ts';
import { cashierUrl, says } from './testing.ts';
import { Cashier } from './vue.ts';

const base = { cashierUrl, partner: 'acme' };

function mount(props: { options: Record<string, unknown>; open?: boolean; preload?: boolean }) {
  const state = reactive(props);
  const place = document.body.appendChild(document.createElement('div'));
  const app = createApp({ render: () => h(Cashier, { ...state, options: { ...base, ...state.options } }) });
  app.mount(place);
  return {
    state,
    frame: () => place.querySelector('iframe'),
    unmount() {
      app.unmount();
      place.remove();
    },
  };
}

test('Vue: the newest callback hears, a new callback does not start again, a new option does', async () => {
  const [first, second] = [vi.fn(), vi.fn()];
  const view = mount({ options: { onInit: first } });
  const frame = view.frame();
  view.state.options = { onInit: second };
  await nextTick();
  expect(view.frame()).toBe(frame);
  says(frame as HTMLIFrameElement, { messageType: 'init', payload: { success: true } });
  expect(first).not.toHaveBeenCalled();
  expect(second).toHaveBeenCalledOnce();
  view.state.options = { onInit: second, locale: 'ar' };
  await nextTick();
  expect(view.frame()?.src).toContain('locale=ar');
  view.unmount();
  expect(document.querySelector('iframe')).toBeNull();
});

test('Vue: a modal is loaded beforehand, shown while `open` is true, and gone with its component', async () => {
  stubDialogs();
  const view = mount({ options: { mode: 'modal' }, open: false });
  expect(document.querySelector('iframe')).toBeNull();
  view.state.preload = true;
  await nextTick();
  const frame = document.querySelector('dialog:not([open]) iframe');
  expect(frame).not.toBeNull();
  view.state.open = true;
  await nextTick();
  expect(document.querySelector('dialog[open] iframe')).toBe(frame);
  view.unmount();
  expect(document.querySelector('iframe')).toBeNull();
});
