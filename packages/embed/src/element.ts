/** `<open-cashier>` for a page with a bundler. */
import { createCashier } from './cashier.ts';
import { registerElement } from './element-class.ts';
import { callbackEvents } from './events.ts';

export type { OpenCashierElement } from './element-class.ts';

/** Registers `<open-cashier>`; a second call does nothing. */
export function defineCashierElement(): void {
  registerElement({ createCashier, callbackEvents });
}
