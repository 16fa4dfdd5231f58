import type { PaymentMethod } from '@opencashier/contract/api';

/**
 * Where the cashier stands: in a frame of the host's page, as a browser page of its own, or as the page of an app. A frame is a
 * frame also where the host names an app's platform.
 */
export type CashierPlace = 'frame' | 'page' | 'app';

/** Where a provider's page is shown. */
export type WayOut = 'same-window' | 'new-window';

/** What decides whether a payment window is opened ahead of the create call. */
export interface WindowQuestion {
  readonly place: CashierPlace;
  readonly isOnramp: boolean;
  readonly flags: PaymentMethod['flags'];
}

/**
 * Where a provider's page is shown (DEP-2, DEP-3). Never inside a frame: providers and banks refuse to be framed, and the person
 * would be left with a browser's error page. An app's page always makes room; a browser's page does for methods that say so.
 */
export function wayOut(place: CashierPlace, { externalRedirect }: PaymentMethod['flags']): WayOut {
  return place === 'app' || (place === 'page' && externalRedirect === true) ? 'same-window' : 'new-window';
}

/**
 * Whether to open a payment window within the click, before the create call (DEP-2). Not where the provider's page takes the
 * cashier's place, not for on-ramp, and not for methods that stay in the widget. A blocked pop-up falls back to a visible link.
 */
export function opensPaymentWindow({ place, isOnramp, flags }: WindowQuestion): boolean {
  return !isOnramp && flags.noNewWindow !== true && wayOut(place, flags) === 'new-window';
}
