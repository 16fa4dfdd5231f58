import { ERROR_KEY_PREFIX } from '@opencashier/core/deposit/error-key';
import { useSession, useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Page } from '../../ui/page/page.tsx';
import { StateView } from '../../ui/page/state-view.tsx';
import styles from './error.module.css';

interface ErrorViewProps {
  /** Ready text for the user; absent: `Unknown error`. */
  readonly message: string | undefined;
  readonly stack: string | undefined;
  /** The reference of the error in the server's log, if the server sent one. */
  readonly reference?: string | undefined;
  /** The code of a failed call. Its text replaces the message, if there is one. */
  readonly code?: string | undefined;
  readonly onRefresh: () => void;
}

const unavailable = `${ERROR_KEY_PREFIX}temporarily-unavailable`;

/** What went wrong, a button to continue, and a code for support (NAV-5). It shows the stack only while debugging. */
export function ErrorView({ message, stack, reference, code, onRefresh }: ErrorViewProps) {
  const { translate, has } = useTexts();
  const ofCode = `${ERROR_KEY_PREFIX}${code}`;
  // A code without a text, such as from a proxy's page, means that the server cannot answer now.
  const withoutWords = code === undefined ? message || translate('error.unknown') : translate(unavailable);
  const text = has(ofCode) ? translate(ofCode) : withoutWords;
  // The next call connects again (NET-3).
  const isOffline = code === 'socket.networkError';
  const { forceLogging } = useSession();
  return (
    <Page>
      <StateView icon="alert" tone="bad" title={translate('error.title')} text={text}>
        <p className={styles.hint}>{translate('error.hint')}</p>
        <Button className={styles.refresh} onClick={onRefresh}>
          {translate(isOffline ? 'error.reconnect' : 'error.refresh')}
        </Button>
        {forceLogging && stack ? (
          <pre className={styles.stack}>{stack}</pre>
        ) : (
          <p className={styles.code}>
            {translate('error.code', { code: reference ?? supportCode(`${text}\n${stack ?? ''}`) })}
          </p>
        )}
      </StateView>
    </Page>
  );
}

/** Six characters that are the same for the same error, so that support can compare two reports (FNV-1a). */
export function supportCode(fault: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < fault.length; index += 1) {
    hash = Math.imul(hash ^ fault.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(36).toUpperCase().padStart(6, '0').slice(-6);
}
