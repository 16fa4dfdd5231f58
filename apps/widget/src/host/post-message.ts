/** The channel between two windows (HOST-6, HOST-7): a frame and its page, or a pop-up and the page that opened it. */
import type { WidgetMessage } from '@opencashier/contract/host';
import type { Deliver, DropReason } from './sender.ts';

/** The part of `Window` that is used, so that a test can stand in for it. */
export interface MessagingWindow {
  readonly parent: unknown;
  readonly opener?: unknown;
  readonly location: { readonly origin: string };
  addEventListener(type: 'message', listen: (event: MessageEvent) => void): void;
  removeEventListener(type: 'message', listen: (event: MessageEvent) => void): void;
}

interface Receiver {
  postMessage(message: unknown, targetOrigin: string): void;
}

export function isTopLevel(window: MessagingWindow): boolean {
  return window.parent === window;
}

/** The window that shows us: the parent of a frame, the opener of a pop-up, else none. */
export function hostWindowOf(window: MessagingWindow): Receiver | undefined {
  const candidate = isTopLevel(window) ? window.opener : window.parent;
  return isReceiver(candidate) ? candidate : undefined;
}

/**
 * Listens to the host alone. Source first, then origin; what fails is given to `drop` and gets no answer, since browser
 * extensions and developer tools post here too.
 *
 * A top-level page also hears itself: that is how an app speaks into its web view (HOST-5).
 *
 * @returns how to stop
 */
export function listenToHost(
  window: MessagingWindow,
  allowedOrigins: readonly string[],
  deliver: Deliver,
  drop: (reason: DropReason) => void,
): () => void {
  const host = hostWindowOf(window);
  const topLevel = isTopLevel(window);
  const listen = (event: MessageEvent): void => {
    if (topLevel && event.source === window && event.origin === window.location.origin) {
      deliver(event.data, { kind: 'native' });
      return;
    }
    if (host === undefined || event.source !== host) drop('source');
    else if (!isAllowed(event.origin, allowedOrigins)) drop('origin');
    else deliver(event.data, { kind: 'window', origin: event.origin });
  };
  window.addEventListener('message', listen);
  return () => window.removeEventListener('message', listen);
}

/** Compared letter by letter. `null` is the origin of every sandboxed or local page at once, so it can never be allowed. */
export function isAllowed(origin: string, allowedOrigins: readonly string[]): boolean {
  return origin !== 'null' && origin !== '*' && allowedOrigins.includes(origin);
}

/** Posts to exactly one origin; the browser drops it silently when the window shows another page by then. */
export function postToOrigin(host: Receiver, message: WidgetMessage, origin: string): void {
  host.postMessage(message, origin);
}

/**
 * Where a message may go before the host has answered: the page that the referrer names if it is allowed, else every
 * allowed origin, of which the browser delivers to the one that fits.
 */
export function originsToTry(referrer: string, allowedOrigins: readonly string[]): readonly string[] {
  const candidates = allowedOrigins.filter((origin) => isAllowed(origin, allowedOrigins));
  const named = URL.canParse(referrer) ? new URL(referrer).origin : undefined;
  return named !== undefined && candidates.includes(named) ? [named] : candidates;
}

function isReceiver(value: unknown): value is Receiver {
  if (typeof value !== 'object' || value === null) return false;
  // Of a window of another origin only a few names may be read; postMessage is one of them.
  return typeof (value as Partial<Receiver>).postMessage === 'function';
}
