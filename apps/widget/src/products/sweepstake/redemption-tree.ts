/** Redeeming sweep coins: the screens of a withdrawal, in sweep coins (SWP-2). */
import type { BackRoute, LoadScreen, Product, RouteDefinition } from '../../kit/product.ts';

const redeemed =
  (load: LoadScreen, needs?: RouteDefinition['needs']): LoadScreen =>
  async () => {
    const [{ redeemed: wrap }, { Screen }] = await Promise.all([
      import('../../screens/redemption/redeemed.tsx'),
      load(),
    ]);
    return { Screen: wrap(Screen, needs) };
  };

export function redemptionTree(tree: string): RouteDefinition[] {
  const back: BackRoute = { kind: 'history', page: tree };
  const shared = { tree, direction: 'withdrawal', title: 'title.redemption' } as const;
  return [
    { ...shared, path: tree, screen: redeemed(() => import('../../screens/redemption/redemption.tsx')) },
    { ...shared, path: `${tree}/crypto`, back, screen: redeemed(() => import('../../screens/redemption/coins.tsx')) },
    {
      ...shared,
      path: `${tree}/crypto/:method`,
      back,
      screen: redeemed(() => import('../../screens/redemption/convert.tsx'), 'method'),
    },
    { ...shared, path: `${tree}/confirm`, back, screen: redeemed(() => import('../../screens/confirm/confirm.tsx')) },
    {
      ...shared,
      path: `${tree}/complete`,
      back: { kind: 'page', page: tree },
      screen: redeemed(() => import('../../screens/withdrawal-complete/withdrawal-complete.tsx')),
    },
  ];
}

/** Every way to redeem pays out coins of a chain. */
export const redemptionPath: Product['methodPath'] = (tree, { name }) => `${tree}/crypto/${encodeURIComponent(name)}`;
