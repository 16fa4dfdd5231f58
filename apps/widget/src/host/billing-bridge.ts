/**
 * The channel into an Android app or a shop's shell (HOST-6): the function `cashierBridge(json)`, or an object of that name with
 * `postMessage(json)`, which is the form in which Android and Flutter put a listener on a page.
 */
import type { WidgetMessage } from '@opencashier/contract/host';
import { handlerOutlet } from './handler-outlet.ts';
import { pageProperty } from './page-property.ts';

/** The bridge's way in, or `undefined` where there is none. Never throws. */
export function billingBridgeOutlet(window: object): ((message: WidgetMessage) => void) | undefined {
  const bridge = pageProperty(window, 'cashierBridge');
  return typeof bridge === 'function' ? handlerOutlet(window, bridge) : handlerOutlet(bridge);
}
