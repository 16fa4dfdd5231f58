import type { Clock } from '@opencashier/core/time/clock';
import { useStore, useTexts } from '../../kit/session/services.tsx';
import { type SnackbarItem, SnackbarRegion } from '../../ui/layers/snackbar.tsx';
import type { Notifications } from './notifications.ts';

/** §9: a snackbar closes after this long. */
const CLOSE_AFTER_MS = 5000;

/** ERR-4: an error has the title `Error`. A message closes after 5 s, but not while somebody reads it. */
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
