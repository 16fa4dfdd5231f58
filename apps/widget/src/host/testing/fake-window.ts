import type { WidgetMessage } from '@opencashier/contract/host';
import type { MessagingWindow } from '../post-message.ts';

export interface FakeWindow extends MessagingWindow {
  /** Messages that were posted to the host's window, with their target origins. */
  readonly posted: { message: WidgetMessage; origin: string }[];
  /** The host's window, as `event.source`. */
  readonly host: object;
  /** Delivers a message. */
  receive(data: unknown, from?: { source?: unknown; origin?: string }): void;
}

export const hostOrigin = 'https://shop.example';

/** A window in a frame of `hostOrigin`, or a top-level one. */
export function fakeWindow({ topLevel = false, opener = undefined as unknown } = {}): FakeWindow {
  const posted: FakeWindow['posted'] = [];
  const listeners = new Set<(event: MessageEvent) => void>();
  const host = { postMessage: (message: WidgetMessage, origin: string) => void posted.push({ message, origin }) };
  const window = {
    posted,
    host,
    opener: opener === 'host' ? host : opener,
    location: { origin: 'https://pay.example' },
    parent: host as unknown,
    addEventListener: (_type: 'message', listen: (event: MessageEvent) => void) => void listeners.add(listen),
    removeEventListener: (_type: 'message', listen: (event: MessageEvent) => void) => void listeners.delete(listen),
    receive(data: unknown, { source = host, origin = hostOrigin }: { source?: unknown; origin?: string } = {}) {
      for (const listen of [...listeners]) listen({ data, source, origin } as MessageEvent);
    },
  };
  if (topLevel) window.parent = window;
  return window;
}
