/** `<open-cashier>` for a page with a bundler. */
import { createCashier } from './cashier.ts';
import { type OpenCashierElement, registerElement } from './element-class.ts';
import { callbackEvents } from './events.ts';

export type { OpenCashierElement };

declare global {
  /** So that `document.querySelector('open-cashier')` answers the element with its own properties. */
  interface HTMLElementTagNameMap {
    'open-cashier': OpenCashierElement;
  }
}

/** Registers `<open-cashier>`; a second call does nothing. */
export function defineCashierElement(): void {
  registerElement({ createCashier, callbackEvents });
}
