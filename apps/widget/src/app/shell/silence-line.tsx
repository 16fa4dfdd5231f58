import { useEffect, useSyncExternalStore } from 'react';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import styles from './silence-line.module.css';

const never = () => () => {};
const onLine = {
  subscribe(listener: () => void) {
    window.addEventListener('online', listener);
    window.addEventListener('offline', listener);
    return () => {
      window.removeEventListener('online', listener);
      window.removeEventListener('offline', listener);
    };
  },
  get: () => navigator.onLine !== false,
};

/** Says at once that the device is offline, and within seconds that the server does not answer (NET-3). Shown on every screen. */
export function SilenceLine() {
  const { silence } = useServices().api;
  const { translate } = useTexts();
  const isSilent = useSyncExternalStore(silence?.subscribe ?? never, silence?.getState ?? no, no);
  useEffect(() => {
    if (silence === undefined) return;
    window.addEventListener('online', silence.clear);
    return () => window.removeEventListener('online', silence.clear);
  }, [silence]);
  const isOnline = useSyncExternalStore(onLine.subscribe, onLine.get, yes);
  const isSaid = isSilent || !isOnline;
  return <div role="status">{isSaid && <p className={styles.line}>{translate('connection.silent')}</p>}</div>;
}

const no = () => false;
const yes = () => true;
