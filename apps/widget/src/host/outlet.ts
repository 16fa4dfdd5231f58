/** Chooses, once, where the widget's messages go (HOST-6). */
import type { WidgetMessage } from '@opencashier/contract/host';
import { billingBridgeOutlet } from './billing-bridge.ts';
import { hostWindowOf, isTopLevel, type MessagingWindow, originsToTry, postToOrigin } from './post-message.ts';
import type { Sender } from './sender.ts';
import { webkitOutlet } from './webkit.ts';

export interface Outlet {
  readonly kind: 'webkit' | 'bridge' | 'window' | 'none';
  /**
   * @param pinned who answered `Loaded`; without it only messages that hold nothing about a person may be sent, and they go
   *   to every origin that the operator has registered
   */
  send(message: WidgetMessage, pinned: Sender | undefined): void;
}

/**
 * Webkit handler, then bridge function, then `postMessage`. The first two only in a top-level page: inside a frame the names
 * could have been put there by whoever wrote the page around us.
 */
export function chooseOutlet(window: MessagingWindow, referrer: string, allowedOrigins: readonly string[]): Outlet {
  const webkit = isTopLevel(window) ? webkitOutlet(window) : undefined;
  if (webkit) return { kind: 'webkit', send: (message) => webkit(message) };
  const bridge = isTopLevel(window) ? billingBridgeOutlet(window) : undefined;
  if (bridge) return { kind: 'bridge', send: (message) => bridge(message) };
  const host = hostWindowOf(window);
  if (host === undefined) return { kind: 'none', send: () => {} };
  return {
    kind: 'window',
    send(message, pinned) {
      if (pinned?.kind === 'native') return;
      const origins = pinned ? [pinned.origin] : originsToTry(referrer, allowedOrigins);
      for (const origin of origins) postToOrigin(host, message, origin);
    },
  };
}
