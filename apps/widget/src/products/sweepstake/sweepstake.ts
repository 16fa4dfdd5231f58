import type { BackRoute, LoadScreen, Product, RouteDefinition } from '../../kit/product.ts';
import { groupPath, methodPath } from '../main.ts';
import { sharedRoutes } from '../shared-routes.ts';

const later: LoadScreen = () => import('../../screens/later/later.tsx');
const toDeposit: BackRoute = { kind: 'history', page: '/deposit' };
const toWithdrawal: BackRoute = { kind: 'history', page: '/withdrawal' };

const purchase = (path: string, title: string): RouteDefinition => ({ path, title, back: toDeposit, screen: later });
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
    { path: '/deposit', title: 'title.coinPackage', screen: later },
    purchase('/deposit/select-method', 'title.depositMethod'),
    purchase('/deposit/crypto', 'title.deposit'),
    purchase('/deposit/crypto/:method', 'title.deposit'),
    {
      path: '/deposit/complete',
      title: 'title.deposit',
      back: { kind: 'page', page: '/deposit' },
      screen: () => import('../../screens/complete/complete.tsx'),
    },
    { path: '/withdrawal', title: 'title.redemption', tree: '/withdrawal', direction: 'withdrawal', screen: later },
    redemption('/withdrawal/crypto'),
    redemption('/withdrawal/crypto/:method'),
    redemption('/withdrawal/complete'),
    ...sharedRoutes,
  ],
  preload: () => undefined,
  methodPath,
  groupPath,
};
