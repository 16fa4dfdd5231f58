import type { ReactNode } from 'react';
import styles from './card.module.css';

/** A white surface that holds what belongs together. */
export function Card({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.card} data-part="card">
      {children}
    </div>
  );
}

/** A remark that must not be missed, in words as well as in colour. */
export function Notice({ tone, children }: { readonly tone: 'warn' | 'bad' | 'calm'; readonly children: ReactNode }) {
  return (
    <div className={styles.notice} data-tone={tone}>
      {children}
    </div>
  );
}

/** What is told about one thing, a `div` with a `dt` and a `dd` to each line. */
export function DetailList({ children }: { readonly children: ReactNode }) {
  return (
    <Card>
      <dl className={styles.details}>{children}</dl>
    </Card>
  );
}
