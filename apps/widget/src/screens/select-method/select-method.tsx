import type { MethodList } from '@opencashier/contract/api';
import { Suspense, useEffect } from 'react';
import { noteMethodsShown } from '../../kit/deposit/deposit-delay.ts';
import { useOrder } from '../../kit/deposit/order.ts';
import { useMethodList } from '../../kit/method/method-list.ts';
import { useEmptyNotice, useErrorPage } from '../../kit/method/use-list-ends.ts';
import { useTapAhead } from '../../kit/method/use-tap-ahead.ts';
import { lazyPart } from '../../kit/session/lazily.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useSession, useTexts } from '../../kit/session/services.tsx';
import { Page, Section } from '../../ui/page/page.tsx';
import { ListSkeleton } from '../method-list/list-skeleton.tsx';
import { listSections } from '../method-list/list-view.ts';
import { MethodTiles } from '../method-list/method-tiles.tsx';

const Empty = lazyPart(async () => (await import('../empty/empty.tsx')).Screen);

/** The methods that can buy the chosen box (SWP-1). */
export function Screen(props: ScreenProps) {
  const { translate } = useTexts();
  const { direction, tree } = usePlace();
  const state = useMethodList(direction);
  const isEmpty = state.at === 'ready' && state.list.methods.length === 0;
  useEmptyNotice(isEmpty, 'Empty payment methods');
  useErrorPage(state.at === 'failed' ? state.error : undefined, `${tree}/select-method`);
  const skeleton = <ListSkeleton label={translate('list.loading')} />;
  if (isEmpty) {
    return (
      <Suspense fallback={skeleton}>
        <Empty {...props} />
      </Suspense>
    );
  }
  if (state.at !== 'ready') return skeleton;
  return <Methods list={state.list} />;
}

function Methods({ list }: { readonly list: MethodList }) {
  const services = useServices();
  const session = useSession();
  const texts = useTexts();
  const order = useOrder();
  const { product, tree } = usePlace();
  const near = useTapAhead(list);
  useEffect(() => noteMethodsShown(services), [services]);
  return (
    <Page width="wide">
      {order?.summary}
      {listSections(list, session, texts).map(({ id, title, tiles }) => (
        <Section key={id} title={title}>
          <MethodTiles
            tiles={tiles}
            onMethod={(method) => services.navigation.go(product.methodPath(tree, method))}
            onGroup={(name) => services.navigation.go(product.groupPath(tree, name))}
            near={near}
          />
        </Section>
      ))}
    </Page>
  );
}
