/** Chooses the way on which the widget posts its messages (HOST-6). */
import type { WidgetMessage } from '@opencashier/contract/host';
import { billingBridgeOutlet, webkitOutlet } from './app-bridges.ts';
import { hostWindowOf, isTopLevel, type MessagingWindow, originsToTry, postToOrigin } from './post-message.ts';
import type { Sender } from './sender.ts';

export interface Outlet {
  /**
   * @param pinned who answered `Loaded`. Without it only messages about no person may be sent, and they go to every origin
   *   that the operator has registered.
   * @returns whether a window or a bridge took the message
   */
  send(message: WidgetMessage, pinned: Sender | undefined): boolean;
}

/**
 * Webkit handler, then bridge, then `postMessage`. The first two are used only in a top-level page, because inside a frame the
 * page around it could have set these names.
 *
 * Some apps set their bridge after the first message. A page that no window shows therefore looks for it at every message.
 */
export function chooseOutlet(window: MessagingWindow, referrer: string, allowedOrigins: readonly string[]): Outlet {
  const bridgeOf = () => (isTopLevel(window) ? (webkitOutlet(window) ?? billingBridgeOutlet(window)) : undefined);
  const bridge = bridgeOf();
  const host = hostWindowOf(window);
  return {
    send(message, pinned) {
      const post = bridge ?? (host === undefined ? bridgeOf() : undefined);
      if (post) post(message);
      else if (host === undefined || pinned?.kind === 'native') return false;
      else {
        const origins = pinned ? [pinned.origin] : originsToTry(referrer, allowedOrigins);
        for (const origin of origins) postToOrigin(host, message, origin);
      }
      return true;
    },
  };
}
