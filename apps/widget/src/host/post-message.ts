/** The channel between two windows (HOST-6, HOST-7): a frame and its page, or a pop-up and the page that opened it. */
import type { WidgetMessage } from '@opencashier/contract/host';
import type { Deliver, DropReason } from './sender.ts';

/** The part of `Window` that is used, so that a test can replace it. */
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

/** The window that shows the widget: the parent of a frame, or the opener of a pop-up; undefined when there is none. */
export function hostWindowOf(window: MessagingWindow): Receiver | undefined {
  const candidate = isTopLevel(window) ? window.opener : window.parent;
  return isReceiver(candidate) ? candidate : undefined;
}

/**
 * Listens to the host only. A message of another source or origin is dropped without an answer, because browser extensions and
 * developer tools post messages, too.
 *
 * A top-level page also listens to itself, because an app posts from inside its web view (HOST-5).
 *
 * @returns stops listening
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

/** Compares whole origins. `null` is never allowed, because every sandboxed or local page has it. */
export function isAllowed(origin: string, allowedOrigins: readonly string[]): boolean {
  return origin !== 'null' && origin !== '*' && allowedOrigins.includes(origin);
}

/** Posts to one origin. The browser drops the message when the window shows a page of another origin. */
export function postToOrigin(host: Receiver, message: WidgetMessage, origin: string): void {
  host.postMessage(message, origin);
}

/**
 * Origins for a message before the host has answered: the origin of the referrer when it is allowed, else every allowed
 * origin. The browser delivers only to the origin of the host's page.
 */
export function originsToTry(referrer: string, allowedOrigins: readonly string[]): readonly string[] {
  const candidates = allowedOrigins.filter((origin) => isAllowed(origin, allowedOrigins));
  const named = URL.canParse(referrer) ? new URL(referrer).origin : undefined;
  return named !== undefined && candidates.includes(named) ? [named] : candidates;
}

function isReceiver(value: unknown): value is Receiver {
  if (typeof value !== 'object' || value === null) return false;
  // The browser lets us read only a few properties of a window of another origin; postMessage is one of them.
  return typeof (value as Partial<Receiver>).postMessage === 'function';
}
