/** The channel into an iOS app (HOST-6): `webkit.messageHandlers.cashier`. */
import type { WidgetMessage } from '@opencashier/contract/host';

/** The handler's way in, or `undefined` where the page is not in such an app. Never throws. */
export function webkitOutlet(window: object): ((message: WidgetMessage) => void) | undefined {
  const handler = property(property(property(window, 'webkit'), 'messageHandlers'), 'cashier');
  const post = property(handler, 'postMessage');
  if (typeof post !== 'function') return undefined;
  return (message) => {
    post.call(handler, JSON.stringify(message));
  };
}

/** A named element of the page can stand where a property is expected, and a getter can throw: both mean "not there". */
function property(value: unknown, name: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    // A getter of the surrounding app failed, so there is no handler to use.
    return undefined;
  }
}
