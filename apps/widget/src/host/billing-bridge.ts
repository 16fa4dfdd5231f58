/** The channel into an Android app or a shop's shell (HOST-6): the function `cashierBridge(json)`. */
import type { WidgetMessage } from '@opencashier/contract/host';
import { pageProperty } from './page-property.ts';

/** The bridge's way in, or `undefined` where there is none. */
export function billingBridgeOutlet(window: object): ((message: WidgetMessage) => void) | undefined {
  const bridge = pageProperty(window, 'cashierBridge');
  if (typeof bridge !== 'function') return undefined;
  return (message) => {
    bridge.call(window, JSON.stringify(message));
  };
}
