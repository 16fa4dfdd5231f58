import { expect, test } from 'vitest';
import { purchaseTree } from './purchase-tree.ts';

test('[SWP-1] no page of a purchase is titled after a deposit', () => {
  const routes = purchaseTree('/deposit');
  expect(routes.find(({ path }) => path.startsWith('/deposit/redirect/'))?.title).toBe('title.purchase');
  expect(routes.filter(({ title }) => title === 'title.deposit')).toEqual([]);
});
