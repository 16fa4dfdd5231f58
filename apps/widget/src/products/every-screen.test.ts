import { describe, expect, test } from 'vitest';
import { shownOnTheWay, walks } from '../../../../e2e/accessibility/screens.ts';
import { selectProduct } from './select-product.ts';

describe('[UI-3] no screen escapes the look at its accessibility', () => {
  test.each(['main', 'cryptobalance', 'sweep'] as const)('%s: each route is in the list', async (view) => {
    const product = await selectProduct(view);
    const trees = await Promise.all((product.branches ?? []).map((branch) => branch.load()));
    const routes = [product, ...trees].flatMap((tree) => tree.routes.map(({ path }) => path));
    const walked = walks
      .filter((walk) => walk.view === view)
      .flatMap(({ screens }) => screens.map(({ route }) => route));
    const listed = new Set([...walked, ...Object.keys(shownOnTheWay[view])]);
    expect([...listed].sort()).toEqual([...new Set(routes)].sort());
  });

  test('each path is one of its route', () => {
    for (const { route, path } of walks.flatMap(({ screens }) => screens)) {
      const pattern = route.replace(/\/:\w+\?/g, '(?:/[^/?]+)?').replace(/:\w+/g, '[^/?]+');
      expect(path).toMatch(new RegExp(`^${pattern}(?:\\?|$)`));
    }
  });
});
