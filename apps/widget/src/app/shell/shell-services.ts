/** Adds the services of the page to those of boot: history, notifications, closing. */
import type { Services, ServicesFromBoot } from '../../kit/session/services.tsx';
import { createNavigation } from '../navigation/history.ts';
import { createNotifications, type Notifications } from './notifications.ts';

export interface Page {
  readonly services: Services;
  readonly notifications: Notifications;
}

export function createPage(boot: ServicesFromBoot): Page {
  const notifications = createNotifications();
  const closing = new Set<() => void>();
  // HOST-4, HOST-14: screens finish their work before the host hears that the widget closes.
  const close = () => {
    for (const run of closing) run();
    boot.post({ messageType: 'close', payload: {} });
  };
  return {
    notifications,
    services: {
      ...boot,
      navigation: createNavigation(boot.session.getState().basePath),
      notify: notifications.add,
      whenClosing(run) {
        closing.add(run);
        return () => closing.delete(run);
      },
      close,
    },
  };
}
