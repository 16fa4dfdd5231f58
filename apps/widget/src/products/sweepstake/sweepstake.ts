import { answerPath, flowOfMethod } from '../../flows/registry.ts';
import type { Product } from '../../kit/session/product.ts';
import { Screen as NoBoxes } from '../../screens/coin-boxes/no-boxes.tsx';
import { groupPath, methodPath } from '../main.ts';
import { sharedRoutes } from '../shared-routes.ts';
import { purchaseTree } from './purchase-tree.ts';
import { redemptionPath, redemptionTree } from './redemption-tree.ts';

const purchase = '/deposit';
const redemption = '/withdrawal';

/** Coin packages and redemption (SWP-1). */
export const sweepstakeProduct: Product = {
  name: 'sweepstake',
  home: '/',
  unknown: purchase,
  list: purchase,
  redirections: [{ path: '/', to: purchase }],
  routes: [
    ...purchaseTree(purchase),
    ...redemptionTree(redemption),
    // These come before the shared routes, because here boxes are missing, not ways to pay.
    { path: '/empty', title: 'title.coinPackage', screen: { Screen: NoBoxes } },
    {
      path: '/empty/region',
      title: 'title.coinPackage',
      screen: { Screen: NoBoxes },
      sheet: { over: '/empty', screen: () => import('../../screens/region/region.tsx') },
    },
    ...sharedRoutes,
  ],
  branches: [],
  methodPath: (tree, method, group) => (tree === redemption ? redemptionPath : methodPath)(tree, method, group),
  flowOf: (method) => flowOfMethod(method),
  groupPath,
  answerPath,
};
