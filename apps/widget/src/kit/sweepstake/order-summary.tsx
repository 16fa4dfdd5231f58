import type { SweepstakeBox } from '@opencashier/contract/api';
import { describeBox } from '@opencashier/core/sweepstake/coin-box';
import { useId } from 'react';
import { Card } from '../../ui/page/card.tsx';
import { usePlace } from '../session/product-context.tsx';
import { useServices, useTexts } from '../session/services.tsx';
import { CoinMark } from './coin-mark.tsx';
import { coinText, hasCoins, sweepCode } from './coin-text.ts';
import styles from './order-summary.module.css';

interface OrderSummaryProps {
  readonly box: SweepstakeBox;
  /** The payment is in progress: it is too late for another box. */
  readonly isFixed: boolean;
}

/** What is bought, its price, and the required disclaimer (SWP-1). */
export function OrderSummary({ box, isFixed }: OrderSummaryProps) {
  const texts = useTexts();
  const { translate, formatLocale } = texts;
  const shown = describeBox(box, formatLocale);
  const { navigation } = useServices();
  const { tree } = usePlace();
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.order}>
      <Card>
        <div className={styles.head}>
          <h2 id={id} className={styles.label}>
            {translate('order.title')}
          </h2>
          {!isFixed && (
            <button type="button" className={styles.change} onClick={() => navigation.go(tree)}>
              {translate('order.change')}
            </button>
          )}
        </div>
        <div className={styles.coins}>
          <CoinMark />
          <p className={styles.text}>
            <span className={styles.gold}>{coinText('GC', shown.gcAmount, texts)}</span>
            {hasCoins(shown.scAmount) && (
              <span className={styles.free}>
                {translate('boxes.free', { amount: coinText(sweepCode(box), shown.scAmount, texts) })}
              </span>
            )}
          </p>
        </div>
        <p className={styles.price}>
          <span className={styles.label}>{translate('order.toPay')}</span>
          <b>{shown.formattedPrice}</b>
        </p>
      </Card>
      <p className={styles.disclaimer}>{translate('order.disclaimer')}</p>
    </section>
  );
}
