import { formatWireAmount } from '@opencashier/core/money/format';
import { CopyButton } from './copy-button.tsx';
import styles from './exact-amount.module.css';
import { PaymentTimer } from './payment-timer.tsx';
import { useTexts } from './services.tsx';
import type { PaymentTimerState } from './use-payment-timer.ts';

interface ExactAmountProps {
  readonly amount: string;
  readonly currency: string;
  readonly timer: PaymentTimerState | undefined;
  /** What is to be done with the sum; "Transfer exactly" when absent. */
  readonly label?: string;
}

/** The sum that has to arrive, to the last digit, and the time left for it. What is copied is a plain number. */
export function ExactAmount({ amount, currency, timer, label }: ExactAmountProps) {
  const { translate, formatLocale } = useTexts();
  const name = label ?? translate('payment.exactly');
  return (
    <div className={styles.head}>
      <div className={styles.text}>
        <p className={styles.label}>{name}</p>
        <p className={styles.amount}>
          <bdi>{formatWireAmount({ amount, currency }, formatLocale) ?? `${amount} ${currency}`}</bdi>
        </p>
      </div>
      <div className={styles.side}>
        {timer && <PaymentTimer timer={timer} />}
        <CopyButton value={amount} name={translate('payment.amount')} />
      </div>
    </div>
  );
}
