/** The short messages on the page. The component that shows them is another file, loaded after the first screen. */
import { createStore } from 'zustand/vanilla';
import type { Notification, ReadableStore } from '../../kit/session/services.tsx';

/** More messages would cover the page, so the oldest is removed. */
const MOST_AT_ONCE = 3;

interface Shown extends Notification {
  readonly id: number;
}

/** Short messages to the person, newest last. Two messages with the same text are shown as one. */
export interface Notifications extends ReadableStore<readonly Shown[]> {
  add(notification: Notification): void;
  remove(id: number): void;
}

export function createNotifications(): Notifications {
  const store = createStore<readonly Shown[]>(() => []);
  let lastId = 0;
  return {
    getState: store.getState,
    subscribe: store.subscribe,
    add(notification) {
      lastId += 1;
      const others = store
        .getState()
        .filter(({ kind, text }) => kind !== notification.kind || text !== notification.text);
      store.setState([...others, { ...notification, id: lastId }].slice(-MOST_AT_ONCE), true);
    },
    remove: (id) => store.setState((shown) => shown.filter((item) => item.id !== id), true),
  };
}
