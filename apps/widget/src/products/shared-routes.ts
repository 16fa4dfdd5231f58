/** Screens that every product has at the same address. */
import type { RouteDefinition } from '../kit/session/product.ts';

/** The title of the page for an empty list, whose state names the direction. */
const ofEmptyList = (state: unknown): string | undefined =>
  typeof state === 'object' && state !== null && Reflect.get(state, 'direction') === 'withdrawal'
    ? 'title.withdrawalMethod'
    : undefined;

export const sharedRoutes: readonly RouteDefinition[] = [
  { path: '/empty', title: 'title.empty', titleOf: ofEmptyList, screen: () => import('../screens/empty/empty.tsx') },
  {
    path: '/empty/region',
    title: 'title.empty',
    titleOf: ofEmptyList,
    screen: () => import('../screens/empty/empty.tsx'),
    sheet: { over: '/empty', screen: () => import('../screens/region/region.tsx') },
  },
  { path: '/error', title: 'title.error', screen: () => import('../screens/error/error.tsx') },
  { path: '/form', title: 'title.deposit', screen: () => import('../screens/form/form.tsx'), hidesClose: true },
];
