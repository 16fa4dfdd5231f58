import type { MethodList } from '@opencashier/contract/api';
import { type ComponentType, type ReactNode, Suspense, useState } from 'react';
import { type BalanceKind, currencyOfKind, kindOf, useCurrencyOfKind } from '../../kit/balance/balance-currency.ts';
import { useMethodList } from '../../kit/method/method-list.ts';
import { lazyPart } from '../../kit/session/lazily.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useSession, useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Page } from '../../ui/page/page.tsx';
import { Skeleton } from '../../ui/page/skeleton.tsx';
import { StateView } from '../../ui/page/state-view.tsx';
import { Tabs } from '../../ui/page/tabs.tsx';
import { ListSkeleton } from '../method-list/list-skeleton.tsx';
import type { ListPart } from '../method-list/method-list.tsx';
import styles from './balance-list.module.css';

const BalanceCard = lazyPart(async () => (await import('../../kit/balance/balance-card.tsx')).BalanceCard);

export interface BalanceListParts {
  readonly lists: Readonly<Record<BalanceKind, ComponentType<ScreenProps & ListPart>>>;
  /** The address of each kind. Absent if both kinds share one address; the session's currency then decides. */
  readonly addresses?: Readonly<Record<BalanceKind, string>> | undefined;
}

/** Heights of the balance card, so that nothing below moves when it loads (UI-5). The fiat card has no line for a value. */
const heights: Readonly<Record<BalanceKind, string>> = { fiat: '7.625rem', crypto: '9rem' };

const kinds: readonly BalanceKind[] = ['fiat', 'crypto'];

/** The methods of each kind. A coin is credited as that coin, so it cannot top up a fiat balance. */
const parts: Readonly<Record<BalanceKind, (list: MethodList) => MethodList>> = {
  fiat: (list) => withoutBalance({ ...list, methods: list.methods.filter(({ category }) => category !== 'crypto') }),
  crypto: withoutBalance,
};

/** The balance card above the list already shows the balance. */
function withoutBalance({ balance: _shown, ...list }: MethodList): MethodList {
  return list;
}

/** The first screen of a product with balances in coins (CRY-3): kind of money, currency, balance and methods. */
export function BalanceList({ lists, addresses, ...screen }: BalanceListParts & ScreenProps) {
  const texts = useTexts();
  const { translate } = texts;
  const { navigation, chooseRegion } = useServices();
  const session = useSession();
  const { tree } = usePlace();
  const kind = kinds.find((one) => addresses?.[one] === tree) ?? kindOf(session.currency);
  const currency = useCurrencyOfKind(kind);
  const [isChoosing, setChoosing] = useState(false);
  const choose = (code: string) => {
    setChoosing(false);
    chooseRegion({ country: session.country, currency: code });
  };
  const showKind = (next: BalanceKind) => {
    if (addresses === undefined) choose(currencyOfKind(next, session));
    else navigation.go(addresses[next], { replace: true });
  };
  const List = lists[kind];
  return (
    <Tabs
      label={translate('balance.kinds')}
      tabs={kinds.map((value) => ({ value, text: translate(`balance.${value}`) }))}
      chosen={kind}
      onChoose={(value) => showKind(value === 'crypto' ? 'crypto' : 'fiat')}
      isRightToLeft={texts.direction === 'rtl'}
    >
      <div className={styles.head}>
        <Suspense fallback={<Skeleton blockSize={heights[kind]} radius="var(--radius-l)" />}>
          <BalanceCard
            kind={kind}
            currency={currency ?? currencyOfKind(kind, session)}
            isChoosing={isChoosing}
            onChoosing={setChoosing}
            onChoose={choose}
          />
        </Suspense>
      </div>
      {currency === undefined ? (
        <ListSkeleton label={translate('list.loading')} />
      ) : (
        <Offered
          kind={kind}
          currency={currency}
          onOtherCurrency={() => setChoosing(true)}
          onCrypto={() => showKind('crypto')}
        >
          <List {...screen} part={parts[kind]} />
        </Offered>
      )}
    </Tabs>
  );
}

interface OfferedProps {
  readonly kind: BalanceKind;
  readonly currency: string;
  readonly onOtherCurrency: () => void;
  readonly onCrypto: () => void;
  readonly children: ReactNode;
}

/** The list of methods. Without any, it says why and offers other choices (CRY-4). */
function Offered({ kind, currency, onOtherCurrency, onCrypto, children }: OfferedProps) {
  const { translate } = useTexts();
  const { direction } = usePlace();
  const state = useMethodList(direction);
  if (state.at === 'failed') {
    return (
      <Page width="wide">
        <StateView icon="alert" tone="bad" title={translate('balance.listFailed')}>
          <Button look="secondary" onClick={state.retry}>
            {translate('balance.retry')}
          </Button>
        </StateView>
      </Page>
    );
  }
  if (state.at === 'loading') return <ListSkeleton label={translate('list.loading')} />;
  if (parts[kind](state.list).methods.length > 0) return children;
  const isDeposit = direction === 'deposit';
  const leadsToCrypto = isDeposit && kind === 'fiat';
  return (
    <Page width="wide">
      <div role="status">
        <StateView
          icon="coin"
          tone="calm"
          title={translate(isDeposit ? 'balance.depositUnavailable' : 'balance.withdrawalUnavailable', { 0: currency })}
          text={leadsToCrypto ? translate('balance.depositElse') : undefined}
        />
      </div>
      <div className={styles.ways}>
        {leadsToCrypto && <Button onClick={onCrypto}>{translate('balance.useCrypto')}</Button>}
        <Button look={leadsToCrypto ? 'secondary' : 'primary'} onClick={onOtherCurrency}>
          {translate('balance.otherCurrency')}
        </Button>
      </div>
    </Page>
  );
}
