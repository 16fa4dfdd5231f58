import type { PaymentMethod } from '@opencashier/contract/api';

/** What decides whether a payment window is opened ahead of the create call. */
export interface WindowQuestion {
  /** Android or iOS: the app opens links itself. */
  readonly isNative: boolean;
  readonly isOnramp: boolean;
  readonly flags: PaymentMethod['flags'];
}

/**
 * Whether to open a payment window within the click, before the create call (DEP-2). Not on native, not for on-ramp, and not
 * for methods that stay in the widget or leave it in the same window. A blocked pop-up falls back to a visible link.
 */
export function opensPaymentWindow({ isNative, isOnramp, flags }: WindowQuestion): boolean {
  return !isNative && !isOnramp && flags.noNewWindow !== true && flags.externalRedirect !== true;
}
