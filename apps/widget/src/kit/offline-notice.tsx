import { useSyncExternalStore } from 'react';
import { Notice } from '../ui/card.tsx';
import { useTexts } from './services.tsx';

/** Says at once that there is no connection, and that nothing is lost; the platform's own word. */
export function OfflineNotice() {
  const { translate } = useTexts();
  const isOffline = useSyncExternalStore(subscribe, isOfflineNow, () => false);
  return <div role="status">{isOffline && <Notice tone="warn">{translate('payout.offline')}</Notice>}</div>;
}

const isOfflineNow = (): boolean => navigator.onLine === false;

function subscribe(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}
