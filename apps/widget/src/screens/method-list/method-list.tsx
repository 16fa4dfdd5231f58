import type { MethodList, PaymentMethod } from '@opencashier/contract/api';
import { type DepositAgain, depositAgain } from '@opencashier/core/deposit/deposit-again';
import { needsMethodSearch } from '@opencashier/core/methods/method-sections';
import { formatWireAmount } from '@opencashier/core/money/format';
import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { noteMethodsShown } from '../../kit/deposit/deposit-delay.ts';
import { countryName } from '../../kit/format/country-name.ts';
import { useLastMethodName } from '../../kit/method/last-method.ts';
import { useMethodList } from '../../kit/method/method-list.ts';
import { methodTitle } from '../../kit/method/method-text.ts';
import { useEmptyNotice, useErrorPage } from '../../kit/method/use-list-ends.ts';
import { type TapAhead, useTapAhead } from '../../kit/method/use-tap-ahead.ts';
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
import { foundSection, listSections, walletsOf } from './list-view.ts';
import styles from './method-list.module.css';
import { MethodTiles } from './method-tiles.tsx';
import { usePlaces, useRememberedPlace } from './places.ts';

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

/**
 * The first screen: the choice of the method (LIST-1 to LIST-6). Pure: it renders from its data without a browser.
 * @param part selects what to show here, for a page that shows the rest of the list itself
 */
export function Screen({ part, notice }: Partial<ScreenProps> & ListPart) {
  const { translate } = useTexts();
  const { navigation } = useServices();
  const { direction, tree } = usePlace();
  const state = useMethodList(direction);
  const whole = state.at === 'ready' ? state.list : undefined;
  // The same object in every render: what the list can open is loaded once.
  const shown = useMemo(() => whole && part?.(whole), [whole, part]);
  const isEmpty = whole?.methods.length === 0;
  useEmptyNotice(isEmpty, direction === 'deposit' ? 'Empty payment methods' : 'Empty withdrawal methods');
  const isOffered = whole?.isOffered;
  useEffect(() => {
    if (isEmpty) navigation.go('/empty', { replace: true, state: { backRoute: tree, direction, isOffered } });
  }, [isEmpty, navigation, tree, direction, isOffered]);
  useErrorPage(state.at === 'failed' ? state.error : undefined, tree);
  if (state.at !== 'ready' || isEmpty) return <ListSkeleton label={translate('list.loading')} />;
  return <LoadedList list={shown ?? state.list} notice={notice?.(state.list)} />;
}

function LoadedList({ list, notice }: { readonly list: MethodList; readonly notice: ReactNode }) {
  const texts = useTexts();
  const session = useSession();
  const services = useServices();
  const { navigation } = services;
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
  // Whether the device has a wallet must not move the list.
  const lasting = list.methods.filter(({ flags }) => flags.deviceWallet === undefined);
  const near = useTapAhead(list);
  const openMethod = (method: PaymentMethod) => navigation.go(product.methodPath(tree, method));
  useHostMethod(list, direction, openMethod);
  const openGroup = (name: string) => navigation.go(product.groupPath(tree, name));
  const sections =
    query.trim() === '' ? listSections(list, session, texts) : [foundSection(list, query, session, texts)];
  const hasBonus =
    direction === 'deposit' && session.payload.bonusList.some(({ currency }) => currency === list.currency);
  const places = usePlaces(hasBonus);
  useRememberedPlace(list, again !== undefined);
  const bonuses = hasBonus && query === '' && (
    <div className={styles.bonusPlace}>
      {!places.isDrawing && (
        <Suspense fallback={<Skeleton blockSize="4.625rem" radius="var(--radius-l)" />}>
          <BonusSection />
        </Suspense>
      )}
    </div>
  );
  const repeat = again && query === '' && (
    <RepeatTile again={again} currency={list.currency} onOpen={openMethod} near={near} />
  );
  return (
    <>
      <Page width="wide">
        <ListHead list={list} onRegion={() => navigation.go(`${tree}/region`)} onNear={near.nearRegion} />
        {needsMethodSearch(lasting.length) && (
          <SearchInput
            label={texts.translate('list.search')}
            value={query}
            // React would drop what is typed into the server's drawing.
            readOnly={places.isDrawing}
            onChange={(event) => setQuery(event.target.value)}
          />
        )}
        {places.ofBonus === 'first' && bonuses}
        {places.ofRepeat === 'kept' ? (
          <div className={styles.againPlace}>{repeat}</div>
        ) : (
          places.ofRepeat === 'first' && repeat
        )}
        {places.ofNotice === 'first' && notice}
        <Sections>
          {sections.map(({ id, title, tiles }) => (
            <Section key={id} title={title} tiles={tiles.length} wallets={walletsOf(tiles)}>
              {tiles.length > 0 ? (
                <MethodTiles tiles={tiles} onMethod={openMethod} onGroup={openGroup} near={near} />
              ) : (
                <p className={styles.none} role="status">
                  {texts.translate('list.nothingFound', { query })}
                </p>
              )}
            </Section>
          ))}
        </Sections>
        {places.ofRepeat === 'last' && repeat}
        {places.ofBonus === 'last' && bonuses}
        {places.ofNotice === 'last' && notice && <div className={styles.lateNotice}>{notice}</div>}
      </Page>
      {direction === 'deposit' && lastName !== undefined && (
        <Suspense fallback={null}>
          <UnfinishedDeposit list={list} lastMethod={lastName} />
        </Suspense>
      )}
    </>
  );
}

interface ListHeadProps {
  readonly list: MethodList;
  readonly onRegion: () => void;
  readonly onNear: () => void;
}

/** The region, which leads to the others (LIST-3), and the balance. */
function ListHead({ list, onRegion, onNear }: ListHeadProps) {
  const texts = useTexts();
  const { country } = useSession();
  const region = countryName(country, texts);
  return (
    <div className={styles.head}>
      <Button
        look="pill"
        aria-haspopup="dialog"
        onClick={onRegion}
        onPointerEnter={onNear}
        onFocus={onNear}
        aria-label={texts.translate('list.region', { region })}
        data-opens="region"
        // The server may know another name of a country than the browser. Its name then stays.
        suppressHydrationWarning
      >
        <Flag country={country} />
        {region}
        <Icon name="chevron-down" size={16} />
      </Button>
      {list.balance && (
        <p className={styles.balance}>
          {texts.translate('list.balance')} <b>{formatWireAmount(list.balance, texts.formatLocale)}</b>
        </p>
      )}
    </div>
  );
}

interface RepeatTileProps {
  readonly again: DepositAgain;
  readonly currency: string;
  readonly onOpen: (method: PaymentMethod) => void;
  readonly near: TapAhead;
}

/** The offer to repeat the last deposit (LIST-6). It only fills in the form: the user starts the payment there. */
function RepeatTile({ again, currency, onOpen, near }: RepeatTileProps) {
  const texts = useTexts();
  const services = useServices();
  const { method, amount } = again;
  return (
    <RowTile
      title={againText(again, currency, texts)}
      detail={methodTitle(method, texts)}
      marks={<Marks iconIds={method.iconIds} most={1} />}
      end={<Icon name="chevron" size={18} />}
      onOpen={() => {
        if (amount !== undefined) {
          Object.assign(draftOf(services, method.name, currency), { amount, isFromChip: false });
          near.changed();
        }
        onOpen(method);
      }}
      onNear={() => near.nearMethod(method)}
      onAway={near.away}
    />
  );
}

function againText({ amount }: DepositAgain, currency: string, { formatLocale, translate }: Texts): string {
  const written = amount && formatWireAmount({ amount, currency }, formatLocale, { trimWhole: true, isolate: true });
  return written ? translate('list.againAmount', { amount: written }) : translate('list.again');
}
