import type { MethodList } from '@opencashier/contract/api';
import { Suspense } from 'react';
import { useMethodList } from '../../kit/method/method-list.ts';
import { useEmptyNotice, useErrorPage } from '../../kit/method/use-list-ends.ts';
import { useTapAhead } from '../../kit/method/use-tap-ahead.ts';
import { lazyPart } from '../../kit/session/lazily.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useSession, useTexts } from '../../kit/session/services.tsx';
import { type Redeemable, useRedeemable } from '../../kit/sweepstake/coin-balances.ts';
import { RedeemableCard } from '../../kit/sweepstake/redeemable-card.tsx';
import { UnfinishedWithdrawal } from '../../kit/withdrawal/unfinished-withdrawal-part.tsx';
import { Page, Section } from '../../ui/page/page.tsx';
import { ListSkeleton } from '../method-list/list-skeleton.tsx';
import { listSections } from '../method-list/list-view.ts';
import { MethodTiles } from '../method-list/method-tiles.tsx';

const Empty = lazyPart(async () => (await import('../empty/empty.tsx')).Screen);

/** The coins that can be redeemed, and the methods (SWP-2). */
export function Screen(props: ScreenProps) {
  const { translate } = useTexts();
  const { direction, tree } = usePlace();
  const state = useMethodList(direction);
  const coins = useRedeemable();
  const isEmpty = state.at === 'ready' && state.list.methods.length === 0;
  useEmptyNotice(isEmpty, 'Empty withdrawal methods');
  useErrorPage(state.at === 'failed' ? state.error : undefined, tree);
  const skeleton = <ListSkeleton label={translate('list.loading')} />;
  if (isEmpty) {
    return (
      <Suspense fallback={skeleton}>
        <Empty {...props} />
      </Suspense>
    );
  }
  if (state.at !== 'ready' || coins === undefined) return skeleton;
  return (
    <>
      <Ways list={state.list} coins={coins} />
      <UnfinishedWithdrawal />
    </>
  );
}

function Ways({ list, coins }: { readonly list: MethodList; readonly coins: Redeemable }) {
  const { navigation } = useServices();
  const session = useSession();
  const texts = useTexts();
  const { product, tree } = usePlace();
  const near = useTapAhead(list);
  return (
    <Page width="wide">
      <RedeemableCard coins={coins} />
      {listSections(list, session, texts).map(({ id, title, tiles }) => (
        <Section key={id} title={id.startsWith('tiles-') ? texts.translate('redemption.ways') : title}>
          <MethodTiles
            tiles={tiles}
            onMethod={(method) => navigation.go(product.methodPath(tree, method))}
            onGroup={(name) => navigation.go(product.groupPath(tree, name))}
            near={near}
          />
        </Section>
      ))}
    </Page>
  );
}
