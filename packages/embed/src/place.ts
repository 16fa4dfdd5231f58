/** The place of a frame: the dialog of a modal, or the page's container. */
import type { Modal } from './modal.ts';
import type { CashierOptions } from './options.ts';

/** Puts the frame there, without opening the dialog. @throws TypeError when the page has no such container */
export function placeFrame(frame: HTMLIFrameElement, { container }: CashierOptions, modal: Modal | undefined): void {
  if (modal) {
    modal.hold(frame);
    return;
  }
  const element = typeof container === 'string' ? document.querySelector(container) : container;
  if (!element) throw new TypeError('container was not found');
  element.append(frame);
}
