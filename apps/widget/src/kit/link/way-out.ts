/** Every link out of the cashier: to a provider's page, or to a payment app. */
import type { PaymentMethod } from '@opencashier/contract/api';
import type { Redirect } from '@opencashier/core/deposit/next-step';
import { type CashierPlace, opensPaymentWindow, redirectTarget } from '@opencashier/core/deposit/payment-window';
import { type PaymentWindow, submitForm } from '../payment/payment-window.ts';
import type { Session } from '../session/services.tsx';

type Method = Pick<PaymentMethod, 'flags'>;
type AppSign = Pick<Session, 'isNative'>;

/** Whether the cashier is in a frame, in an app, or a page alone (HOST-13). */
export function cashierPlace({ isNative }: AppSign): CashierPlace {
  if (window.parent !== window) return 'frame';
  return isNative ? 'app' : 'page';
}

/** Whether the provider's page replaces the cashier. Its return address must then lead to the cashier. */
export function makesRoom(session: AppSign, { flags }: Method): boolean {
  return redirectTarget(cashierPlace(session), flags) === 'same-window';
}

/** Whether a payment window is opened within the tap, before the answer is known (DEP-2). */
export function opensWindowAhead(session: AppSign, { flags }: Method): boolean {
  return opensPaymentWindow({ place: cashierPlace(session), isOnramp: false, flags });
}

interface Departure {
  readonly session: AppSign;
  readonly method: Method;
  /** Opened within the tap. A function opens it only if it is needed. */
  readonly paymentWindow: PaymentWindow | undefined | (() => PaymentWindow | undefined);
  /** Shows the cashier's next page, before the provider's page may replace it. */
  readonly beforeLeaving?: (() => void) | undefined;
}

/**
 * Shows a provider's page, in this window or in the payment window.
 *
 * @returns false when the payment window is blocked or closed, so that the user must follow a link
 */
export function leaveCashier(target: Redirect, { session, method, paymentWindow, beforeLeaving }: Departure): boolean {
  if (makesRoom(session, method)) {
    beforeLeaving?.();
    if (target.method === 'POST') submitForm(target, '_self');
    else window.location.assign(target.href);
    return true;
  }
  const opened = typeof paymentWindow === 'function' ? paymentWindow() : paymentWindow;
  if (opened === undefined || opened.isClosed()) return false;
  opened.navigate(target);
  beforeLeaving?.();
  return true;
}

/**
 * Attributes of a checked link beside a payment's details. A web page opens in a new window. Here it would replace the details,
 * or the frame would refuse it. An app needs no window.
 */
export function linkOut(href: string): { rel: string; target?: '_blank' } {
  return { rel: 'noopener noreferrer', ...(/^https?:/.test(href) ? { target: '_blank' as const } : {}) };
}
