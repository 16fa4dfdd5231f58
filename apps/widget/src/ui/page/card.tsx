import type { ReactNode } from 'react';
import styles from './card.module.css';

/** A raised surface around content that belongs together. */
export function Card({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.card} data-part="card">
      {children}
    </div>
  );
}

/** An important remark. Its text must say what its colour shows. */
export function Notice({ tone, children }: { readonly tone: 'warn' | 'bad' | 'calm'; readonly children: ReactNode }) {
  return (
    <div className={styles.notice} data-tone={tone}>
      {children}
    </div>
  );
}

/** A list of details. Each child is a `div` with a `dt` and a `dd`. */
export function DetailList({ children }: { readonly children: ReactNode }) {
  return (
    <Card>
      <dl className={styles.details}>{children}</dl>
    </Card>
  );
}
