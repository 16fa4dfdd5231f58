/** What the person is told in passing; kept apart from its place on the page, which is loaded after the first screen. */
import type { Notification, ReadableStore } from '../../kit/session/services.tsx';

/** More than this at once would cover the page; the oldest goes. */
const MOST_AT_ONCE = 3;

interface Shown extends Notification {
  readonly id: number;
}

/** Short messages to the person, newest last; the same one is not shown twice at a time. */
export interface Notifications extends ReadableStore<readonly Shown[]> {
  add(notification: Notification): void;
  remove(id: number): void;
}

export function createNotifications(): Notifications {
  let shown: readonly Shown[] = [];
  let lastId = 0;
  const listeners = new Set<() => void>();
  const set = (next: readonly Shown[]) => {
    shown = next;
    for (const listener of listeners) listener();
  };
  return {
    get: () => shown,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(notification) {
      lastId += 1;
      const others = shown.filter(({ kind, text }) => kind !== notification.kind || text !== notification.text);
      set([...others, { ...notification, id: lastId }].slice(-MOST_AT_ONCE));
    },
    remove: (id) => set(shown.filter((item) => item.id !== id)),
  };
}
