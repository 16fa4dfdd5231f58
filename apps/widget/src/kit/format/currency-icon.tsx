import { type ReactNode, useEffect, useState } from 'react';
import { useServices } from '../session/services.tsx';
import styles from './currency-icon.module.css';

/** By address. A failure is forgotten, so that the next screen tries again. */
const known = new Map<string, Promise<string>>();

/**
 * The drawing of a currency as a data URL (NET-7), fetched once per visit.
 *
 * @throws Error `Unable to fetch icon {status}`
 */
export function fetchCurrencyIcon(
  basePath: string,
  currency: string,
  fetchFile: (address: string) => Promise<Pick<Response, 'ok' | 'status' | 'text'>> = (address) => fetch(address),
): Promise<string> {
  const address = `${basePath}/static/icons/${encodeURIComponent(currency.toLowerCase())}.svg`;
  const asked = known.get(address);
  if (asked) return asked;
  const loaded = fetchFile(address).then(async (answer) => {
    if (!answer.ok) throw new Error(`Unable to fetch icon ${answer.status}`);
    // It is only shown as an image, so a drawing that an operator replaces can run no script.
    return `data:image/svg+xml,${encodeURIComponent(await answer.text())}`;
  });
  known.set(address, loaded);
  loaded.catch(() => known.delete(address));
  return loaded;
}

/** The drawing of a currency. `children` are shown instead until it is loaded, and where it could not be loaded. */
export function CurrencyIcon({ currency, children }: { readonly currency: string; readonly children: ReactNode }) {
  const { session, post } = useServices();
  const { basePath } = session.getState();
  const [source, setSource] = useState<string>();
  useEffect(() => {
    let isWanted = true;
    fetchCurrencyIcon(basePath, currency).then(
      (drawing) => isWanted && setSource(drawing),
      (error: unknown) => {
        const message = error instanceof Error ? error.message : 'Unable to fetch icon';
        post({ messageType: 'error', payload: { code: 'icon-unavailable', message } });
      },
    );
    return () => {
      isWanted = false;
    };
  }, [basePath, currency, post]);
  if (source === undefined) return children;
  return <img className={styles.icon} src={source} alt="" width={40} height={28} />;
}
