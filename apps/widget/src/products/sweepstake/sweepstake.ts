import type { BackRoute, LoadScreen, Product, RouteDefinition } from '../../kit/product.ts';
import { groupPath, methodPath } from '../main.ts';
import { sharedRoutes } from '../shared-routes.ts';
import { purchaseTree } from './purchase-tree.ts';

const later: LoadScreen = () => import('../../screens/later/later.tsx');
const toWithdrawal: BackRoute = { kind: 'history', page: '/withdrawal' };

const redemption = (path: string): RouteDefinition => ({
  path,
  title: 'title.redemption',
  back: toWithdrawal,
  tree: '/withdrawal',
  direction: 'withdrawal',
  screen: later,
});

/** Coin packages and redemption (SWP-1). */
export const sweepstakeProduct: Product = {
  name: 'sweepstake',
  home: '/',
  unknown: '/deposit',
  list: '/deposit',
  redirections: [{ path: '/', to: '/deposit' }],
  routes: [
    ...purchaseTree('/deposit'),
    { path: '/withdrawal', title: 'title.redemption', tree: '/withdrawal', direction: 'withdrawal', screen: later },
    redemption('/withdrawal/crypto'),
    redemption('/withdrawal/crypto/:method'),
    redemption('/withdrawal/complete'),
    // Before the shared one: what is missing here is boxes, not ways to pay.
    { path: '/empty', title: 'title.coinPackage', screen: () => import('../../screens/coin-boxes/no-boxes.tsx') },
    ...sharedRoutes,
  ],
  preload: () => undefined,
  methodPath,
  groupPath,
};
