/** The channel into an iOS app (HOST-6): `webkit.messageHandlers.cashier`. */
import type { WidgetMessage } from '@opencashier/contract/host';
import { handlerOutlet } from './handler-outlet.ts';
import { pageProperty } from './page-property.ts';

/** The handler's way in, or `undefined` where the page is not in such an app. Never throws. */
export function webkitOutlet(window: object): ((message: WidgetMessage) => void) | undefined {
  return handlerOutlet(pageProperty(pageProperty(pageProperty(window, 'webkit'), 'messageHandlers'), 'cashier'));
}
