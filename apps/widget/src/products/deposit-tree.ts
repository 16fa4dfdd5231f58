/** The deposit screens of §2 below one address; main hangs them at /deposit, crypto-balance at /cryptobalance/deposit/fiat. */
import { flows } from '../flows/registry.ts';
import type { BackRoute, FlowRoute, LoadScreen, RouteDefinition } from '../kit/product.ts';
import { Screen as MethodList } from '../screens/method-list/method-list.tsx';

const later: LoadScreen = () => import('../screens/later/later.tsx');

/** Screens of §2 whose flow is still to come: each address is there and says so. */
const laterRoutes: readonly FlowRoute[] = [
  'redirect/:method/eazype',
  'redirect/:method/pix',
  'redirect/:method/upi-qr',
  'redirect/:method/unified-form',
  'crypto',
  'crypto/:method',
  'india/:method?',
  'india/:method/invoice',
  'peer-to-peer/:method?',
  'peer-to-peer/:method/base',
  'peer-to-peer/:method/invoice',
  'peer-to-peer/:method/unified-form',
  'peer-to-peer/:method/instruction',
  'host-to-host/:method?',
  'cash/:method?',
  'onramp/:method?',
  'onramp/:method/offer-list',
].map((path) => ({ path, title: 'title.deposit', screen: later }));

export function depositTree(tree: string): RouteDefinition[] {
  const back: BackRoute = { kind: 'history', page: tree };
  const hang = ({ path, title, screen }: FlowRoute): RouteDefinition => ({
    path: `${tree}/${path}`,
    title,
    back,
    tree,
    screen,
    ...(path.includes(':method') ? { needs: 'method' } : {}),
  });
  const claimed = flows.flatMap(({ routes }) => routes);
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
    hang({
      path: 'bonus-details',
      title: 'title.deposit',
      screen: () => import('../screens/bonus-details/bonus-details.tsx'),
    }),
    ...claimed.map(hang),
    ...laterRoutes.filter(({ path }) => !claimed.some((route) => route.path === path)).map(hang),
  ];
}
