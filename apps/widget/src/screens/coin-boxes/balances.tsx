import { useTexts } from '../../kit/session/services.tsx';
import { useCoinBalances } from '../../kit/sweepstake/coin-balances.ts';
import { coinText } from '../../kit/sweepstake/coin-text.ts';
import { Skeleton } from '../../ui/page/skeleton.tsx';
import styles from './balances.module.css';

/** The user's balances of both coins (SWP-2). It has the same height while they load (UI-5). */
export function Balances() {
  const texts = useTexts();
  const coins = useCoinBalances();
  return (
    <dl className={styles.balances} aria-busy={coins === undefined}>
      {(['GC', 'SC'] as const).map((coin) => (
        <div key={coin}>
          <dt className={styles.title}>{texts.translate(`boxes.balance.${coin}`)}</dt>
          <dd className={styles.amount}>
            {coins ? coinText(coins[coin].currency, coins[coin].balance, texts) : <Skeleton blockSize="1em" />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
