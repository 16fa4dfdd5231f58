/** Chooses, once, where the widget's messages go (HOST-6). */
import type { WidgetMessage } from '@opencashier/contract/host';
import { billingBridgeOutlet, webkitOutlet } from './app-bridges.ts';
import { hostWindowOf, isTopLevel, type MessagingWindow, originsToTry, postToOrigin } from './post-message.ts';
import type { Sender } from './sender.ts';

export interface Outlet {
  /**
   * @param pinned who answered `Loaded`; without it only messages that hold nothing about a person may be sent, and they go
   *   to every origin that the operator has registered
   * @returns whether something was there to take it
   */
  send(message: WidgetMessage, pinned: Sender | undefined): boolean;
}

/**
 * Webkit handler, then bridge, then `postMessage`. The first two only in a top-level page: inside a frame the names could have
 * been put there by whoever wrote the page around us.
 *
 * A page that nobody frames or opened has nobody else to speak to, and some apps put their bridge there after our first words:
 * there it is looked for at every message.
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
