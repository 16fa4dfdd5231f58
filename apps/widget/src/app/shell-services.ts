/** Completes what boot hands over with what the page itself knows: history, snackbar, chosen region, closing. */
import type { ReadableStore, Region, Services, ServicesFromBoot, Session } from '../kit/services.tsx';
import { createNotifications, type Notifications } from './notifications.tsx';
import { createNavigation } from './routes-navigation.ts';

export interface Page {
  readonly services: Services;
  readonly notifications: Notifications;
}

export function createPage(boot: ServicesFromBoot): Page {
  const notifications = createNotifications();
  const { session, choose } = withRegion(boot.session);
  const closing = new Set<() => void>();
  // HOST-4, HOST-14: screens finish what must be finished, then the host is told.
  const close = () => {
    for (const run of closing) run();
    boot.post({ messageType: 'close', payload: {} });
  };
  return {
    notifications,
    services: {
      ...boot,
      session,
      navigation: createNavigation(boot.session.get().basePath),
      notify: notifications.add,
      chooseRegion: choose,
      whenClosing(run) {
        closing.add(run);
        return () => closing.delete(run);
      },
      close,
    },
  };
}

/** The session with the region that was chosen on the page laid over the one of the host (LIST-3). */
function withRegion(base: ReadableStore<Session>): { session: ReadableStore<Session>; choose(region: Region): void } {
  let chosen: Region | undefined;
  let seen: Session | undefined;
  let shown: Session | undefined;
  const listeners = new Set<() => void>();
  return {
    choose(region) {
      chosen = region;
      shown = undefined;
      for (const listener of listeners) listener();
    },
    session: {
      get() {
        const current = base.get();
        // The same object as long as nothing has changed, or React would render without end.
        if (shown === undefined || seen !== current) {
          seen = current;
          shown = { ...current, ...chosen };
        }
        return shown;
      },
      subscribe(listener) {
        listeners.add(listener);
        const stop = base.subscribe(listener);
        return () => {
          listeners.delete(listener);
          stop();
        };
      },
    },
  };
}
