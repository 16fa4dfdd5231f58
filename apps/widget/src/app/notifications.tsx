import type { Clock } from '@opencashier/core/time/clock';
import type { Notification, ReadableStore } from '../kit/services.tsx';
import { useStore, useTexts } from '../kit/services.tsx';
import { type SnackbarItem, SnackbarRegion } from '../ui/snackbar.tsx';

/** §9: a snackbar closes after this long. */
const CLOSE_AFTER_MS = 5000;
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

/** ERR-4: titled `Error`, closes after 5 s, stays while somebody reads it. */
export function NotificationRegion({
  notifications,
  clock,
}: {
  readonly notifications: Notifications;
  readonly clock: Clock;
}) {
  const { translate } = useTexts();
  const items = useStore(notifications).map(
    (item): SnackbarItem => ({
      ...item,
      title: item.kind === 'error' ? translate('notification.error') : undefined,
    }),
  );
  return (
    <SnackbarRegion
      items={items}
      label={translate('notification.region')}
      closeLabel={translate('notification.close')}
      closeAfterMs={CLOSE_AFTER_MS}
      setTimer={clock.setTimer}
      onClose={notifications.remove}
    />
  );
}
