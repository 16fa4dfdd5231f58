import type { PaymentMethod } from '@opencashier/contract/api';

/**
 * Where the cashier runs: in a frame of the host's page, as its own page, or in an app.
 * A frame stays a frame even when the host names an app platform.
 */
export type CashierPlace = 'frame' | 'page' | 'app';

/** The window in which the provider's page opens. */
export type RedirectTarget = 'same-window' | 'new-window';

/** The inputs that decide whether a payment window opens before the create call. */
export interface PaymentWindowInput {
  readonly place: CashierPlace;
  readonly isOnramp: boolean;
  readonly flags: PaymentMethod['flags'];
}

/**
 * The window in which the provider's page opens (DEP-2, DEP-3).
 * A provider's page never opens inside a frame: banks refuse frames, and the user would see the browser's error page.
 * An app always uses the same window. A browser page does so for methods with the `externalRedirect` flag.
 */
export function redirectTarget(place: CashierPlace, { externalRedirect }: PaymentMethod['flags']): RedirectTarget {
  return place === 'app' || (place === 'page' && externalRedirect === true) ? 'same-window' : 'new-window';
}

/**
 * Whether a payment window opens during the click, before the create call (DEP-2).
 * No window opens when the provider's page replaces the cashier, for on-ramps, and for methods that stay in the widget.
 * When the browser blocks the window, the widget shows a link instead.
 */
export function opensPaymentWindow({ place, isOnramp, flags }: PaymentWindowInput): boolean {
  return !isOnramp && flags.noNewWindow !== true && redirectTarget(place, flags) === 'new-window';
}
