import { formatWireAmount } from '@opencashier/core/money/format';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/buttons/button.tsx';
import { Icon } from '../../ui/marks/icon.tsx';
import { Mark } from '../../ui/marks/mark.tsx';
import { Card } from '../../ui/page/card.tsx';
import { Skeleton } from '../../ui/page/skeleton.tsx';
import { CurrencyIcon } from '../format/currency-icon.tsx';
import { writtenTime } from '../format/written-time.ts';
import { useServices, useSession, useTexts } from '../session/services.tsx';
import styles from './balance-card.module.css';
import { type BalanceKind, currencyOfKind, kindOf } from './balance-currency.ts';
import { balanceOf, valueView, whenStale } from './balance-view.ts';
import { type BalancesState, useBalances } from './balances.ts';
import { CurrencySheet } from './currency-sheet.tsx';

interface BalanceCardProps {
  readonly kind: BalanceKind;
  readonly currency: string;
  /** Whether the card offers currencies. */
  readonly isChoosing: boolean;
  readonly onChoosing: (isChoosing: boolean) => void;
  readonly onChoose: (currency: string) => void;
}

/** The user's balance in a currency, its value in fiat money, and a button to choose another currency (CRY-3). */
export function BalanceCard({ kind, currency, isChoosing, onChoosing, onChoose }: BalanceCardProps) {
  const { translate } = useTexts();
  const state = useBalances(currencyOfKind('fiat', useSession()));
  return (
    <>
      <Card>
        <div className={styles.head}>
          <CurrencyIcon currency={currency}>
            <Mark iconId={currency} size="l" />
          </CurrencyIcon>
          <p className={styles.label}>{translate('balance.title')}</p>
          <Button
            look="pill"
            aria-haspopup="dialog"
            aria-label={translate('balance.currency', { currency })}
            onClick={() => onChoosing(true)}
          >
            {currency}
            <Icon name="chevron-down" size={16} />
          </Button>
        </div>
        <div className={styles.amounts}>
          <Amounts currency={currency} state={state} />
        </div>
      </Card>
      {isChoosing && (
        <CurrencySheet
          kind={kind}
          chosen={currency}
          balances={state.balances}
          onChoose={onChoose}
          onClose={() => onChoosing(false)}
        />
      )}
    </>
  );
}

interface AmountsProps {
  readonly currency: string;
  readonly state: BalancesState;
}

function Amounts({ currency, state: { balances, isFailed, askNow } }: AmountsProps) {
  const texts = useTexts();
  const { translate } = texts;
  const { clock } = useServices();
  const now = useNowAt(whenStale(balances, currency), askNow);
  if (balances === undefined && isFailed) {
    return (
      <div role="alert" className={styles.failed}>
        <p>{translate('balance.failed')}</p>
        <button type="button" className={styles.retry} onClick={askNow}>
          {translate('balance.retry')}
        </button>
      </div>
    );
  }
  if (balances === undefined) {
    return (
      <div role="status" aria-label={translate('balance.loading')} className={styles.loading}>
        <Skeleton inlineSize="9rem" blockSize="1.6875rem" />
        {kindOf(currency) === 'crypto' && <Skeleton inlineSize="6rem" blockSize="1rem" />}
      </div>
    );
  }
  // The server lists every currency with a balance, so a missing one is zero.
  const held = balanceOf(balances, currency)?.balance ?? '0';
  const value = valueView(balances, currency, now, texts);
  return (
    <>
      <p className={styles.amount}>
        <bdi>{formatWireAmount({ amount: held, currency }, texts.formatLocale)}</bdi>
      </p>
      {value.at === 'known' && <p className={styles.value}>{translate('balance.value', { amount: value.amount })}</p>}
      {value.at === 'unknown' && <p className={styles.value}>{translate('balance.noRate')}</p>}
      <p className={styles.note} role="status">
        {value.at === 'known' && value.staleSince !== undefined && (
          <>
            <Icon name="clock" size={16} />
            {translate('balance.staleRate', { time: value.staleSince })}
          </>
        )}
      </p>
      <p className={styles.note} role="status">
        {isFailed && translate('balance.old', { time: writtenTime(balances.receivedAt, clock.now(), texts) })}
      </p>
    </>
  );
}

/** The current time. At the given instant it is read again, and `run` is called. */
function useNowAt(instant: number | undefined, run: () => void): number {
  const { clock } = useServices();
  const [reached, setReached] = useState(0);
  useEffect(() => {
    if (instant === undefined || instant === reached) return;
    return clock.setTimer(() => {
      setReached(instant);
      run();
    }, instant - clock.now());
  }, [clock, instant, reached, run]);
  return Math.max(clock.now(), reached);
}
