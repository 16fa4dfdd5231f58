/** Redeeming sweep coins: the screens of a withdrawal, in sweep coins (SWP-2). */
import type { BackRoute, LoadScreen, Product, RouteDefinition } from '../../kit/session/product.ts';
import { inSweepCoins } from '../../screens/redemption/in-sweep-coins.tsx';
import { Screen as Redemption } from '../../screens/redemption/redemption.tsx';

const inRedemption =
  (load: LoadScreen, needs?: RouteDefinition['needs']): LoadScreen =>
  async () => ({ Screen: inSweepCoins((await load()).Screen, needs) });

export function redemptionTree(tree: string): RouteDefinition[] {
  const back: BackRoute = { kind: 'history', page: tree };
  const shared = { tree, direction: 'withdrawal', title: 'title.redemption' } as const;
  return [
    { ...shared, path: tree, screen: { Screen: inSweepCoins(Redemption) } },
    {
      ...shared,
      path: `${tree}/crypto`,
      step: 'redemption.ways',
      back,
      screen: inRedemption(() => import('../../screens/redemption/coins.tsx')),
    },
    {
      ...shared,
      path: `${tree}/crypto/:method`,
      step: 'step.details',
      back,
      screen: inRedemption(() => import('../../screens/redemption/convert.tsx'), 'method'),
    },
    {
      ...shared,
      path: `${tree}/confirm`,
      step: 'redemption.confirm.confirm',
      back,
      screen: inRedemption(() => import('../../screens/confirm/confirm.tsx')),
    },
    {
      ...shared,
      path: `${tree}/complete`,
      step: 'step.status',
      back: { kind: 'page', page: tree },
      screen: inRedemption(() => import('../../screens/withdrawal-complete/withdrawal-complete.tsx')),
    },
  ];
}

/** The address of a way to redeem. All of them pay out coins of a chain. */
export const redemptionPath: Product['methodPath'] = (tree, { name }) => `${tree}/crypto/${encodeURIComponent(name)}`;
