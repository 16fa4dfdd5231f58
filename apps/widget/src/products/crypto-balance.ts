import type { LoadScreen, Product, RouteDefinition } from '../kit/product.ts';
import { depositTree } from './deposit-tree.ts';
import { groupPath, methodPath, preload } from './main.ts';
import { sharedRoutes } from './shared-routes.ts';
import { withdrawalTree } from './withdrawal-tree.ts';

const home = '/cryptobalance';
const fiat = `${home}/deposit/fiat`;
const crypto = `${home}/deposit/crypto`;
const later: LoadScreen = () => import('../screens/later/later.tsx');

const laterRoutes: readonly RouteDefinition[] = [crypto, `${crypto}/:method`, `${home}/deposit/video-instruction`].map(
  (path) => ({ path, title: 'title.deposit', back: { kind: 'history', page: fiat }, tree: fiat, screen: later }),
);

/** A balance of coins beside the one of state money: the same trees below an address of their own. */
export const cryptoBalanceProduct: Product = {
  name: 'crypto-balance',
  home,
  unknown: '/',
  list: fiat,
  redirections: [
    { path: '/', to: fiat },
    { path: home, to: fiat },
    { path: `${home}/deposit`, to: fiat },
  ],
  routes: [...depositTree(fiat), ...laterRoutes, ...withdrawalTree(`${home}/withdrawal`), ...sharedRoutes],
  preload,
  methodPath,
  groupPath,
};
