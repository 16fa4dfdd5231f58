import type { MethodList, PaymentMethod } from '@opencashier/contract/api';
import { type DepositAgain, depositAgain } from '@opencashier/core/deposit/deposit-again';
import { needsMethodSearch } from '@opencashier/core/methods/method-sections';
import { formatWireAmount } from '@opencashier/core/money/format';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { noteMethodsShown } from '../../kit/deposit/deposit-delay.ts';
import { loadFieldCode } from '../../kit/form/field-code.ts';
import { countryName } from '../../kit/format/country-name.ts';
import { useLastMethodName } from '../../kit/method/last-method.ts';
import { useMethodList } from '../../kit/method/method-list.ts';
import { methodTitle } from '../../kit/method/method-text.ts';
import { useEmptyNotice, useErrorPage } from '../../kit/method/use-list-ends.ts';
import { draftOf } from '../../kit/session/drafts.ts';
import { useHostMethod } from '../../kit/session/host-start.ts';
import { lazyPart } from '../../kit/session/lazily.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { type Texts, useServices, useSession, useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { SearchInput } from '../../ui/inputs/search-input.tsx';
import { RowTile } from '../../ui/lists/tile.tsx';
import { Icon } from '../../ui/marks/icon.tsx';
import { Flag, Marks } from '../../ui/marks/mark.tsx';
import { Page, Section, Sections } from '../../ui/page/page.tsx';
import { Skeleton } from '../../ui/page/skeleton.tsx';
import { ListSkeleton } from './list-skeleton.tsx';
import { foundSection, listSections } from './list-view.ts';
import styles from './method-list.module.css';
import { MethodTiles } from './method-tiles.tsx';

// The user can use the list without these parts, so they are not in the first load.
const BonusSection = lazyPart(async () => (await import('../../kit/bonus/bonus-section.tsx')).BonusSection);
const UnfinishedDeposit = lazyPart(
  async () => (await import('../../kit/unfinished/unfinished-deposit.tsx')).UnfinishedDeposit,
);

export interface ListPart {
  readonly part?: (list: MethodList) => MethodList;
  /** Shown above the methods. */
  readonly notice?: (list: MethodList) => ReactNode;
}

/** Late enough not to delay the first screen, early enough for the first tap. */
const PRELOAD_AFTER_MS = 1500;

/**
 * The first screen: the choice of the method (LIST-1 to LIST-6). Pure: it renders from its data without a browser.
 * @param part selects what to show here, for a page that shows the rest of the list itself
 */
export function Screen({ part, notice }: Partial<ScreenProps> & ListPart) {
  const { translate } = useTexts();
  const { navigation } = useServices();
  const { direction, tree } = usePlace();
  const state = useMethodList(direction);
  const isEmpty = state.at === 'ready' && state.list.methods.length === 0;
  useEmptyNotice(isEmpty, direction === 'deposit' ? 'Empty payment methods' : 'Empty withdrawal methods');
  useEffect(() => {
    if (isEmpty) navigation.go('/empty', { replace: true, state: { backRoute: tree, direction } });
  }, [isEmpty, navigation, tree, direction]);
  useErrorPage(state.at === 'failed' ? state.error : undefined, tree);
  if (state.at !== 'ready' || isEmpty) return <ListSkeleton label={translate('list.loading')} />;
  return <LoadedList list={part ? part(state.list) : state.list} notice={notice?.(state.list)} />;
}

function LoadedList({ list, notice }: { readonly list: MethodList; readonly notice: ReactNode }) {
  const texts = useTexts();
  const session = useSession();
  const services = useServices();
  const { navigation, clock } = services;
  const { product, tree, direction } = usePlace();
  const [query, setQuery] = useState('');
  const lastName = useLastMethodName();
  const again = direction === 'deposit' ? depositAgain(list, session.country) : undefined;
  useEffect(() => noteMethodsShown(services), [services]);
  // After a payment or payout the balance above the list is out of date.
  useEffect(() => {
    const refresh = () => void services.queries.invalidateQueries({ queryKey: ['methods'] });
    const stops = [services.api.onPush('deposit.status', refresh), services.api.onPush('withdrawal.status', refresh)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [services]);
  // The list comes first. The next screens are loaded when no other request waits for the network.
  useEffect(() => {
    const preload = () => {
      product.preload();
      // The screen that needs the code reports a failure, and loads it again.
      void Promise.allSettled([loadFieldCode()]);
    };
    return clock.setTimer(preload, PRELOAD_AFTER_MS);
  }, [clock, product]);
  const openMethod = (method: PaymentMethod) => navigation.go(product.methodPath(tree, method));
  useHostMethod(list, direction, openMethod);
  const openGroup = (name: string) => navigation.go(product.groupPath(tree, name));
  const sections =
    query.trim() === '' ? listSections(list, session, texts) : [foundSection(list, query, session, texts)];
  const hasBonus =
    direction === 'deposit' && session.payload.bonusList.some(({ currency }) => currency === list.currency);
  return (
    <>
      <Page width="wide">
        <div className={styles.head}>
          <Button
            look="pill"
            aria-haspopup="dialog"
            onClick={() => navigation.go(`${tree}/region`)}
            aria-label={texts.translate('list.region', { region: countryName(session.country, texts) })}
          >
            <Flag country={session.country} />
            {countryName(session.country, texts)}
            <Icon name="chevron-down" size={16} />
          </Button>
          {list.balance && (
            <p className={styles.balance}>
              {texts.translate('list.balance')} <b>{formatWireAmount(list.balance, texts.formatLocale)}</b>
            </p>
          )}
        </div>
        {needsMethodSearch(list.methods.length) && (
          <SearchInput
            label={texts.translate('list.search')}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        )}
        {hasBonus && query === '' && (
          // A placeholder of the same height, so that nothing below moves when it loads (UI-5).
          <Suspense fallback={<Skeleton blockSize="4.625rem" radius="var(--radius-l)" />}>
            <BonusSection />
          </Suspense>
        )}
        {again && query === '' && (
          <RowTile
            title={againText(again, list.currency, texts)}
            detail={methodTitle(again.method, texts)}
            marks={<Marks iconIds={again.method.iconIds} most={1} />}
            end={<Icon name="chevron" size={18} />}
            onOpen={() => {
              // This only fills in the form. The user starts the payment there.
              const { method, amount } = again;
              if (amount !== undefined)
                Object.assign(draftOf(services, method.name, list.currency), { amount, isFromChip: false });
              openMethod(method);
            }}
            onNear={product.preload}
          />
        )}
        {notice}
        <Sections>
          {sections.map(({ id, title, tiles }) => (
            <Section key={id} title={title} tiles={tiles.length}>
              {tiles.length > 0 ? (
                <MethodTiles tiles={tiles} onMethod={openMethod} onGroup={openGroup} onNear={product.preload} />
              ) : (
                <p className={styles.none} role="status">
                  {texts.translate('list.nothingFound', { query })}
                </p>
              )}
            </Section>
          ))}
        </Sections>
      </Page>
      {direction === 'deposit' && lastName !== undefined && (
        <Suspense fallback={null}>
          <UnfinishedDeposit list={list} lastMethod={lastName} />
        </Suspense>
      )}
    </>
  );
}

function againText({ amount }: DepositAgain, currency: string, { formatLocale, translate }: Texts): string {
  const written = amount && formatWireAmount({ amount, currency }, formatLocale, { trimWhole: true, isolate: true });
  return written ? translate('list.againAmount', { amount: written }) : translate('list.again');
}
