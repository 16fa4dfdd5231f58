import type { ReactNode } from 'react';
import styles from './badge.module.css';

export type BadgeTone = 'accent' | 'brand' | 'warn';

/** A word or two on a tile. */
export function Badge({
  tone = 'accent',
  id,
  children,
}: {
  readonly tone?: BadgeTone;
  readonly id?: string;
  readonly children: ReactNode;
}) {
  return (
    <span id={id} className={styles.badge} data-part={tone === 'accent' ? 'badge' : undefined} data-tone={tone}>
      {children}
    </span>
  );
}
