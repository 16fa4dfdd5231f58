import { useEffect, useState } from 'react';
import { PageAlert } from '../../ui/page/page.tsx';
import { useTexts } from './services.tsx';

/** A press on a device without a network. */
export interface OfflinePress {
  /** The last press was refused, and the device is still offline. */
  readonly isRefused: boolean;
  /** Call it at a press, before anything starts. True: the press must end here. */
  refuses(): boolean;
}

/**
 * Stops a press while the device is known to be offline. No call starts, so nothing is pending and nothing typed is lost (NET-3).
 * `OfflineAlert` says so beside the button until the device is online again.
 */
export function useOfflinePress(): OfflinePress {
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    if (!isRefused) return;
    const clear = () => setRefused(false);
    window.addEventListener('online', clear);
    return () => window.removeEventListener('online', clear);
  }, [isRefused]);
  return {
    isRefused,
    refuses() {
      const isOffline = navigator.onLine === false;
      setRefused(isOffline);
      return isOffline;
    },
  };
}

/** Shown beside the pressed button. */
export function OfflineAlert({ press }: { readonly press: OfflinePress }) {
  const { translate } = useTexts();
  return press.isRefused ? <PageAlert>{translate('common.errors.socket.networkError')}</PageAlert> : null;
}
