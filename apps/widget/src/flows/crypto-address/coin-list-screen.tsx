import type { MethodList, PaymentMethod } from '@opencashier/contract/api';
import { useEffect } from 'react';
import { noteMethodsShown } from '../../kit/deposit/deposit-delay.ts';
import { listText } from '../../kit/format/list-text.ts';
import { findGroup, findMethod, useMethodList } from '../../kit/method/method-list.ts';
import { coinDetail, groupTitle, methodTitle } from '../../kit/method/method-text.ts';
import { useTapAhead } from '../../kit/method/use-tap-ahead.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { type Texts, useServices, useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Tile } from '../../ui/lists/tile.tsx';
import { Marks } from '../../ui/marks/mark.tsx';
import { Page, Section, TileGrid } from '../../ui/page/page.tsx';
import { Skeleton } from '../../ui/page/skeleton.tsx';
import { StateView } from '../../ui/page/state-view.tsx';
import { coins } from './coins.ts';
import { networksOf } from './model.ts';

/** The coins of the group, each with its networks (CRY-1). */
export function Screen() {
  const services = useServices();
  const { navigation } = services;
  const texts = useTexts();
  const { translate } = texts;
  const { product, direction, tree } = usePlace();
  const state = useMethodList(direction);
  useEffect(() => noteMethodsShown(services), [services]);
  const near = useTapAhead(state.at === 'ready' ? state.list : undefined);
  if (state.at === 'loading') return <Loading />;
  const shown = state.at === 'ready' ? coinsOf(state.list) : [];
  if (shown.length === 0) {
    return (
      <Page>
        <StateView icon="coin" tone="calm" title={translate('crypto.none.title')} text={translate('crypto.none.text')}>
          <Button look="secondary" onClick={() => navigation.go(tree, { replace: true })}>
            {translate('crypto.otherMethod')}
          </Button>
        </StateView>
      </Page>
    );
  }
  const group = state.at === 'ready' ? findGroup(state.list, coins) : undefined;
  return (
    <Page width="wide">
      <Section title={group ? groupTitle(group, texts) : translate('crypto.coins')}>
        <TileGrid isSingle={shown.length === 1}>
          {shown.map((method) => (
            <li key={method.name}>
              <Tile
                title={methodTitle(method, texts)}
                detail={coinDetail(method, networksText(method, texts), texts)}
                marks={<Marks iconIds={method.iconIds} most={1} />}
                isDisabled={method.disabledReason !== undefined}
                onOpen={() => navigation.go(product.methodPath(tree, method))}
                onNear={() => near.nearMethod(method)}
                onAway={near.away}
              />
            </li>
          ))}
        </TileGrid>
      </Section>
    </Page>
  );
}

/** The group's methods in the operator's order; without the group, all coins. */
function coinsOf(list: MethodList): readonly PaymentMethod[] {
  const group = findGroup(list, coins);
  if (group) return group.paymentMethods.flatMap((name) => findMethod(list, name) ?? []);
  return list.methods.filter(({ category }) => category === coins);
}

/** The names of the networks, except a coin's own chain with the same name. */
function networksText(method: PaymentMethod, texts: Texts): string {
  const titles = networksOf(method).networks.map(({ title }) => title);
  const others = titles.filter((title) => title !== methodTitle(method, texts));
  return listText(others, texts);
}

function Loading() {
  const { translate } = useTexts();
  return (
    <Page width="wide">
      <div role="status" aria-label={translate('crypto.coins')}>
        <TileGrid>
          {['a', 'b', 'c', 'd', 'e', 'f'].map((tile) => (
            <li key={tile}>
              <Skeleton blockSize="107px" radius="var(--radius-l)" />
            </li>
          ))}
        </TileGrid>
      </div>
    </Page>
  );
}
