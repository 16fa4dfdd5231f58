/** The withdrawal screens of §2 below one address; the list is real, what follows it comes later. */
import type { BackRoute, LoadScreen, RouteDefinition } from '../kit/product.ts';
import { Screen as MethodList } from '../screens/method-list/method-list.tsx';

const later: LoadScreen = () => import('../screens/later/later.tsx');

export function withdrawalTree(tree: string): RouteDefinition[] {
  const back: BackRoute = { kind: 'history', page: tree };
  const shared = { tree, direction: 'withdrawal' } as const;
  const laterRoute = (path: string): RouteDefinition => ({
    ...shared,
    path: `${tree}/${path}`,
    title: 'title.withdrawals',
    back,
    screen: later,
    ...(path.includes(':method') ? { needs: 'method' } : {}),
  });
  return [
    { ...shared, path: tree, title: 'title.withdrawalMethod', screen: { Screen: MethodList } },
    {
      ...shared,
      path: `${tree}/region`,
      title: 'title.withdrawalMethod',
      screen: { Screen: MethodList },
      sheet: { over: tree, screen: () => import('../screens/region/region.tsx') },
    },
    {
      ...shared,
      path: `${tree}/group/:group`,
      title: 'title.withdrawalMethod',
      back,
      needs: 'group',
      screen: () => import('../screens/group/group.tsx'),
    },
    ...[
      'redirect/:method?',
      'redirect/:method/instruction',
      'nigerian-banks/:method?',
      'group/:group/redirect/:method?',
    ].map(laterRoute),
    {
      ...shared,
      path: `${tree}/confirm`,
      title: 'title.withdrawals',
      back,
      screen: () => import('../screens/confirm/confirm.tsx'),
    },
    laterRoute('complete'),
  ];
}
