/** The channel into an iOS app (HOST-6): `webkit.messageHandlers.cashier`. */
import type { WidgetMessage } from '@opencashier/contract/host';
import { pageProperty } from './page-property.ts';

/** The handler's way in, or `undefined` where the page is not in such an app. Never throws. */
export function webkitOutlet(window: object): ((message: WidgetMessage) => void) | undefined {
  const handler = pageProperty(pageProperty(pageProperty(window, 'webkit'), 'messageHandlers'), 'cashier');
  const post = pageProperty(handler, 'postMessage');
  if (typeof post !== 'function') return undefined;
  return (message) => {
    post.call(handler, JSON.stringify(message));
  };
}
