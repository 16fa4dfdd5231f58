import type { ReactNode } from 'react';
import styles from './amount-head.module.css';

interface AmountHeadProps {
  readonly label: string;
  readonly amount: string;
  /** Shown at the other end of the line: the timer, a button that copies the amount. */
  readonly children?: ReactNode;
}

/** The amount that a page is about, in large digits. */
export function AmountHead({ label, amount, children }: AmountHeadProps) {
  return (
    <div className={styles.head}>
      <div className={styles.text}>
        <p className={styles.label}>{label}</p>
        <p className={styles.amount}>
          <bdi>{amount}</bdi>
        </p>
      </div>
      <div className={styles.side}>{children}</div>
    </div>
  );
}
