import type { ReactNode } from 'react';
import { Card } from '../../ui/page/card.tsx';
import styles from './summary.module.css';

export interface SummaryRow {
  readonly id: string;
  readonly title: string;
  readonly value: ReactNode;
  /** The most important row, such as the amount that arrives. */
  readonly isMain?: boolean;
}

/** One line each: the fee, the amount that arrives, the destination. */
export function Summary({ rows }: { readonly rows: readonly SummaryRow[] }) {
  return (
    <Card>
      <dl className={styles.rows}>
        {rows.map(({ id, title, value, isMain }) => (
          <div key={id} className={styles.row} data-main={isMain === true ? '' : undefined}>
            <dt className={styles.title}>{title}</dt>
            <dd className={styles.value}>
              <bdi suppressHydrationWarning>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
