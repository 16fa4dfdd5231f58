import { useEffect, useRef } from 'react';
import { IconButton } from '../buttons/icon-button.tsx';
import { Icon } from '../marks/icon.tsx';
import styles from './snackbar.module.css';

export interface SnackbarItem {
  readonly id: number;
  readonly kind: 'error' | 'info' | 'success';
  /** A word above the text, such as `Error`. */
  readonly title?: string | undefined;
  /** Shown as text, never as HTML. */
  readonly text: string;
}

interface SnackbarRegionProps {
  readonly items: readonly SnackbarItem[];
  readonly label: string;
  readonly closeLabel: string;
  readonly closeAfterMs: number;
  /** Starts a timer. @returns stops it */
  readonly setTimer: (run: () => void, delayMs: number) => () => void;
  readonly onClose: (id: number) => void;
}

/**
 * Short messages at the foot of the page. Both live regions are always in the page, because some screen readers do not read a
 * region that appears together with its text. Errors interrupt the screen reader; other messages wait.
 */
export function SnackbarRegion({ items, label, ...rest }: SnackbarRegionProps) {
  const errors = items.filter(({ kind }) => kind === 'error');
  const others = items.filter(({ kind }) => kind !== 'error');
  return (
    <section className={styles.region} aria-label={label}>
      <div role="alert">
        {errors.map((item) => (
          <Snackbar key={item.id} item={item} {...rest} />
        ))}
      </div>
      <div role="status">
        {others.map((item) => (
          <Snackbar key={item.id} item={item} {...rest} />
        ))}
      </div>
    </section>
  );
}

const icons = { error: 'alert', info: 'clock', success: 'check' } as const;

/** A message that closes after a while, but not while the pointer or the focus is on it (ERR-4). */
function Snackbar({
  item,
  closeLabel,
  closeAfterMs,
  setTimer,
  onClose,
}: Omit<SnackbarRegionProps, 'items' | 'label'> & { readonly item: SnackbarItem }) {
  const stop = useRef<(() => void) | undefined>(undefined);
  const holds = useRef(new Set<'pointer' | 'focus'>());
  const arm = () => {
    stop.current?.();
    stop.current = holds.current.size === 0 ? setTimer(() => onClose(item.id), closeAfterMs) : undefined;
  };
  const hold = (by: 'pointer' | 'focus', isHeld: boolean) => {
    if (isHeld) holds.current.add(by);
    else holds.current.delete(by);
    arm();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: one timer per message, started when it appears
  useEffect(() => {
    arm();
    return () => stop.current?.();
  }, [item.id]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that somebody is reading
    <div
      className={styles.snackbar}
      data-kind={item.kind}
      onPointerEnter={() => hold('pointer', true)}
      onPointerLeave={() => hold('pointer', false)}
      onFocus={() => hold('focus', true)}
      onBlur={() => hold('focus', false)}
    >
      <Icon name={icons[item.kind]} />
      <div className={styles.text}>
        {item.title && <p className={styles.title}>{item.title}</p>}
        <p>{item.text}</p>
      </div>
      <IconButton icon="close" label={closeLabel} onClick={() => onClose(item.id)} />
    </div>
  );
}
