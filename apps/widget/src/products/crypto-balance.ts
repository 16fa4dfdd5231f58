import { balanceAddress, coinList } from '../flows/crypto-address/balance-flow.ts';
import { answerPath, flowOfMethod } from '../flows/registry.ts';
import { flow as videoFlow } from '../flows/video/flow.ts';
import type { BackRoute, Product, RouteDefinition } from '../kit/session/product.ts';
import { balanceList, inKind } from '../screens/balance-list/balance-routes.tsx';
import { Screen as MethodList } from '../screens/method-list/method-list.tsx';
import { depositTree } from './deposit-tree.ts';
import { groupPath, methodPath } from './main.ts';
import { sharedRoutes } from './shared-routes.ts';

const home = '/cryptobalance';
const deposit = `${home}/deposit`;
const fiat = `${deposit}/fiat`;
const crypto = `${deposit}/crypto`;
const withdrawal = `${home}/withdrawal`;
const back: BackRoute = { kind: 'history', page: crypto };

const methods = { Screen: MethodList };
const depositList = balanceList({ fiat: methods, crypto: coinList, addresses: { fiat, crypto } });
const region = () => import('../screens/region/region.tsx');

/** A route of the tree for state money: its list is beside a balance, and its screens pay in state money. */
function ofFiat(route: RouteDefinition): RouteDefinition {
  if (route.path === fiat || route.sheet?.over === fiat) return { ...route, page: deposit, screen: depositList };
  return route.needs === undefined ? route : { ...route, screen: inKind('fiat', route.screen) };
}

/** The routes for coins. Their list is beside the tree of state money. */
const coinRoutes: readonly RouteDefinition[] = [
  { path: crypto, title: 'title.depositMethod', tree: crypto, page: deposit, screen: depositList },
  {
    path: `${crypto}/region`,
    title: 'title.depositMethod',
    tree: crypto,
    page: deposit,
    screen: depositList,
    sheet: { over: crypto, screen: region },
  },
  {
    path: `${crypto}/:method`,
    title: 'title.deposit',
    back,
    tree: deposit,
    needs: 'method',
    screen: inKind('crypto', balanceAddress),
  },
  {
    path: `${deposit}/complete`,
    title: 'title.deposit',
    back: { kind: 'page', page: crypto },
    tree: crypto,
    screen: () => import('../screens/complete/complete.tsx'),
  },
  ...videoFlow.routes.map(({ path, title = 'title.deposit', step, screen }) => ({
    path: `${deposit}/${path}`,
    title,
    ...(step !== undefined && { step }),
    back,
    tree: fiat,
    screen,
  })),
];

/** A balance of coins beside a balance of state money, with the usual trees below its own address. */
export const cryptoBalanceProduct: Product = {
  name: 'crypto-balance',
  home,
  unknown: '/',
  list: fiat,
  redirections: [
    { path: '/', to: fiat },
    { path: home, to: fiat },
    { path: deposit, to: fiat },
  ],
  routes: [...depositTree(fiat).map(ofFiat), ...coinRoutes, ...sharedRoutes],
  branches: [
    {
      path: withdrawal,
      async load() {
        const tree = (await import('./withdrawal-tree.ts')).withdrawalTree(withdrawal);
        const isList = ({ path, sheet }: RouteDefinition) => path === withdrawal || sheet?.over === withdrawal;
        const screen = balanceList({ fiat: tree.routes.find(isList)?.screen ?? methods, crypto: coinList });
        return { ...tree, routes: tree.routes.map((route) => (isList(route) ? { ...route, screen } : route)) };
      },
    },
  ],
  methodPath: (tree, method, group) =>
    tree === crypto ? `${crypto}/${encodeURIComponent(method.name)}` : methodPath(tree, method, group),
  flowOf: (method) => flowOfMethod(method),
  groupPath,
  answerPath,
};
