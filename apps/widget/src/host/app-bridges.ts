/**
 * The ways to post to an app that shows the page in a web view (HOST-6). The app, or an element of the page, may have put any
 * value under these names, so no function here throws.
 */
import type { WidgetMessage } from '@opencashier/contract/host';

type Post = (message: WidgetMessage) => void;

/** Into an iOS app: `webkit.messageHandlers.cashier`. `undefined` where the page is not in such an app. */
export function webkitOutlet(window: object): Post | undefined {
  return jsonOutlet(pageProperty(pageProperty(pageProperty(window, 'webkit'), 'messageHandlers'), 'cashier'));
}

/**
 * Posts into an Android app or a shop's shell, by the function `cashierBridge(json)`. Android and Flutter give the page an object
 * of that name instead, with `postMessage(json)`. `undefined` where there is neither.
 */
export function billingBridgeOutlet(window: object): Post | undefined {
  const bridge = pageProperty(window, 'cashierBridge');
  return typeof bridge === 'function' ? jsonOutlet(window, bridge) : jsonOutlet(bridge);
}

/**
 * A property that the app may have set; undefined when it is absent, or when its getter throws.
 */
export function pageProperty(value: unknown, name: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    // The getter of the app failed, so there is no value to use.
    return undefined;
  }
}

/** @param post called on `owner` with a message as JSON text; the `postMessage` of `owner` when absent */
function jsonOutlet(owner: unknown, post: unknown = pageProperty(owner, 'postMessage')): Post | undefined {
  return typeof post === 'function' ? (message) => post.call(owner, JSON.stringify(message)) : undefined;
}
