/** Buying a coin box: the flows of a deposit with a box instead of an amount (SWP-1). */
import { flows } from '../../flows/registry.ts';
import type { BackRoute, FlowRoute, LoadScreen, RouteDefinition } from '../../kit/session/product.ts';
import { ordered } from '../../screens/box-order/box-order.tsx';
import { Screen as CoinBoxes } from '../../screens/coin-boxes/coin-boxes.tsx';
import { Screen as SelectMethod } from '../../screens/select-method/select-method.tsx';

const inPurchase =
  (load: LoadScreen, needs?: RouteDefinition['needs']): LoadScreen =>
  async () => ({ Screen: ordered((await load()).Screen, needs) });

export function purchaseTree(tree: string): RouteDefinition[] {
  const methods = `${tree}/select-method`;
  const back: BackRoute = { kind: 'history', page: methods };
  const routeBelow = ({ path, title = 'title.purchase', screen }: FlowRoute): RouteDefinition => ({
    path: `${tree}/${path}`,
    title,
    back,
    tree,
    screen: inPurchase(screen, path.includes(':method') ? 'method' : undefined),
  });
  return [
    { path: tree, title: 'title.coinPackage', tree, screen: { Screen: CoinBoxes } },
    {
      path: methods,
      title: 'title.depositMethod',
      back: { kind: 'history', page: tree },
      tree,
      screen: { Screen: ordered(SelectMethod) },
    },
    {
      path: `${tree}/group/:group`,
      title: 'title.depositMethod',
      back,
      tree,
      screen: inPurchase(() => import('../../screens/group/group.tsx'), 'group'),
    },
    {
      path: `${tree}/complete`,
      title: 'title.purchase',
      back: { kind: 'page', page: tree },
      tree,
      screen: () => import('../../screens/coin-receipt/coin-receipt.tsx'),
    },
    ...flows.filter(({ fixedPrice }) => fixedPrice).flatMap(({ routes }) => routes.map(routeBelow)),
  ];
}
