import { vi } from 'vitest';

/**
 * jsdom has no modal dialogs and no constructed style sheets. What the SDK asks of them is what is tested here; the real ones
 * are in the journeys.
 */
export function stubDialogs(): void {
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
    this.dispatchEvent(new Event('close'));
  };
  vi.stubGlobal(
    'CSSStyleSheet',
    class {
      replaceSync = () => undefined;
    },
  );
  Object.assign(document, { adoptedStyleSheets: [] });
}
