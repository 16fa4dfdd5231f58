import { useEffect } from 'react';
import { noteMethodsShown } from '../../kit/deposit/deposit-delay.ts';
import { findGroup, findMethod, useMethodList } from '../../kit/method/method-list.ts';
import { groupTitle } from '../../kit/method/method-text.ts';
import { useTapAhead } from '../../kit/method/use-tap-ahead.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useSession, useTexts } from '../../kit/session/services.tsx';
import { Page, Section } from '../../ui/page/page.tsx';
import { ListSkeleton } from '../method-list/list-skeleton.tsx';
import { methodTiles } from '../method-list/list-view.ts';
import { MethodTiles } from '../method-list/method-tiles.tsx';

/** The methods of one group (LIST-2). The guard has checked that the group exists. */
export function Screen({ params }: ScreenProps) {
  const services = useServices();
  const session = useSession();
  const texts = useTexts();
  const { product, direction, tree } = usePlace();
  const state = useMethodList(direction);
  useEffect(() => noteMethodsShown(services), [services]);
  const near = useTapAhead(state.at === 'ready' ? state.list : undefined, params['group']);
  const group = state.at === 'ready' ? findGroup(state.list, params['group']) : undefined;
  if (state.at !== 'ready' || !group) return <ListSkeleton label={texts.translate('list.loading')} />;
  const methods = group.paymentMethods.flatMap((name) => findMethod(state.list, name) ?? []);
  return (
    <Page width="wide">
      <Section title={groupTitle(group, texts)}>
        <MethodTiles
          tiles={methodTiles(methods, state.list, session, texts)}
          onMethod={(method) => services.navigation.go(product.methodPath(tree, method, group.name))}
          onGroup={() => undefined}
          near={near}
        />
      </Section>
    </Page>
  );
}
