/** The deposit screens of §2 below one address: /deposit in main, /cryptobalance/deposit/fiat in crypto-balance. */
import { flows } from '../flows/registry.ts';
import type { BackRoute, FlowRoute, RouteDefinition } from '../kit/session/product.ts';
import { Screen as MethodList } from '../screens/method-list/method-list.tsx';

export function depositTree(tree: string): RouteDefinition[] {
  const back: BackRoute = { kind: 'history', page: tree };
  const routeBelow = ({ path, title = 'title.deposit', step, screen }: FlowRoute): RouteDefinition => ({
    path: `${tree}/${path}`,
    title,
    ...(step !== undefined && { step }),
    back,
    tree,
    screen,
    ...(path.includes(':method') ? { needs: 'method' } : {}),
  });
  return [
    { path: tree, title: 'title.depositMethod', tree, screen: { Screen: MethodList } },
    {
      path: `${tree}/region`,
      title: 'title.depositMethod',
      tree,
      screen: { Screen: MethodList },
      sheet: { over: tree, screen: () => import('../screens/region/region.tsx') },
    },
    {
      path: `${tree}/group/:group`,
      title: 'title.depositMethod',
      back,
      tree,
      needs: 'group',
      screen: () => import('../screens/group/group.tsx'),
    },
    {
      path: `${tree}/complete`,
      title: 'title.deposit',
      back: { kind: 'page', page: tree },
      tree,
      screen: () => import('../screens/complete/complete.tsx'),
    },
    routeBelow({
      path: 'bonus-details',
      screen: () => import('../screens/bonus-details/bonus-details.tsx'),
    }),
    ...flows.flatMap(({ routes }) => routes.map(routeBelow)),
  ];
}
