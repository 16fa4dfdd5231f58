import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/buttons/button.tsx';
import { askApp } from '../link/native-action.ts';
import { useServices, useTexts } from '../session/services.tsx';
import { writeClipboard } from './clipboard.ts';
import styles from './copy-button.module.css';

/** §9: how long the tooltip stands. */
const tooltipMs = 3000;

interface CopyButtonProps {
  /** What is put on the clipboard. */
  readonly value: string;
  /** What it is, for screen readers: every row has a button that looks the same. */
  readonly name: string;
  /** The words on the button; "Copy" when absent. */
  readonly label?: string;
}

/**
 * Copies a value and says so for three seconds (CRY-1); a page that may not write the clipboard says that instead. In an app that
 * offers it the app's own clipboard comes first (HOST-13).
 */
export function CopyButton({ value, name, label }: CopyButtonProps) {
  const { translate } = useTexts();
  const services = useServices();
  const { clock } = services;
  const [result, setResult] = useState<'copied' | 'refused'>();
  const stop = useRef<(() => void) | undefined>(undefined);
  useEffect(() => () => stop.current?.(), []);
  const copy = async () => {
    const isCopied =
      askApp(services, { messageType: 'copy', payload: { text: value } }) || (await writeClipboard(value));
    setResult(isCopied ? 'copied' : 'refused');
    stop.current?.();
    stop.current = clock.setTimer(() => setResult(undefined), tooltipMs);
  };
  return (
    <span className={styles.wrap}>
      <Button
        look="secondary"
        className={styles.button}
        aria-label={translate('copy.name', { action: label ?? translate('copy.action'), name })}
        onClick={() => void copy()}
      >
        {label ?? translate('copy.action')}
      </Button>
      <span className={styles.live} role="status">
        {result && <span className={styles.tooltip}>{translate(`copy.${result}`)}</span>}
      </span>
    </span>
  );
}
