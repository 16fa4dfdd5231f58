/** The host's end of the bridge, pinned both ways (HOST-7). */
import type { HostMessage } from './generated/host-types.ts';
import { type PageMessage, readWidgetMessage } from './read-widget-message.ts';

export interface Channel {
  /** Posts to the cashier's origin alone: whatever else the frame may show by then does not get it. */
  post(message: HostMessage): void;
  close(): void;
}

/**
 * Listens to one iframe. It accepts a message only if its source is this iframe, its origin is the cashier's and its shape is
 * known, in this order. `onDropped` hears of every other message, and nobody answers it.
 */
export function openChannel(
  frame: HTMLIFrameElement,
  origin: string,
  onMessage: (message: PageMessage) => void,
  onDropped?: () => void,
): Channel {
  const listen = (event: MessageEvent<unknown>) => {
    // A frame outside the document has no window, and a made-up event has no source: null must not equal null.
    const isOurs = event.source !== null && event.source === frame.contentWindow && event.origin === origin;
    const message = isOurs ? readWidgetMessage(event.data) : undefined;
    if (message) onMessage(message);
    else onDropped?.();
  };
  addEventListener('message', listen);
  return {
    post: (message) => frame.contentWindow?.postMessage(message, origin),
    close: () => removeEventListener('message', listen),
  };
}
