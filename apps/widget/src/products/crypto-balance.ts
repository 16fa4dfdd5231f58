import { balanceAddress, coinList } from '../flows/crypto-address/balance-flow.ts';
import { flow as videoFlow } from '../flows/video/flow.ts';
import type { BackRoute, Product, RouteDefinition } from '../kit/product.ts';
import { depositTree } from './deposit-tree.ts';
import { groupPath, methodPath, preload } from './main.ts';
import { sharedRoutes } from './shared-routes.ts';
import { withdrawalBranch } from './withdrawal-branch.ts';

const home = '/cryptobalance';
const fiat = `${home}/deposit/fiat`;
const tree = `${home}/deposit`;
const back: BackRoute = { kind: 'history', page: fiat };

/** Coins belong to the balance itself: their list stands beside the tree of state money. */
const coinRoutes: readonly RouteDefinition[] = [
  {
    path: `${tree}/crypto`,
    title: 'title.depositMethod',
    back,
    tree,
    screen: coinList,
  },
  {
    path: `${tree}/crypto/:method`,
    title: 'title.deposit',
    back,
    tree,
    needs: 'method',
    screen: balanceAddress,
  },
  {
    path: `${tree}/complete`,
    title: 'title.deposit',
    back: { kind: 'page', page: fiat },
    tree,
    screen: () => import('../screens/complete/complete.tsx'),
  },
  ...videoFlow.routes.map(({ path, title, screen }) => ({ path: `${tree}/${path}`, title, back, tree: fiat, screen })),
];

/** A balance of coins beside the one of state money: the same trees below an address of their own. */
export const cryptoBalanceProduct: Product = {
  name: 'crypto-balance',
  home,
  unknown: '/',
  list: fiat,
  redirections: [
    { path: '/', to: fiat },
    { path: home, to: fiat },
    { path: tree, to: fiat },
  ],
  routes: [...depositTree(fiat), ...coinRoutes, ...sharedRoutes],
  branches: [withdrawalBranch(`${home}/withdrawal`)],
  preload,
  methodPath,
  groupPath,
};
