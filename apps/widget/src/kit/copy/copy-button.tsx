import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/buttons/button.tsx';
import { askApp } from '../link/native-action.ts';
import { useServices, useTexts } from '../session/services.tsx';
import { writeClipboard } from './clipboard.ts';
import styles from './copy-button.module.css';

/** How long the tooltip is shown (§9). */
const tooltipMs = 3000;

interface CopyButtonProps {
  /** What is put on the clipboard. */
  readonly value: string;
  /** The name of the value, for screen readers, because every row has the same button. */
  readonly name: string;
  /** The words on the button; "Copy" when absent. */
  readonly label?: string;
}

/**
 * Copies a value and says for three seconds whether it worked (CRY-1). In an app that offers its own clipboard, the app copies
 * (HOST-13).
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
