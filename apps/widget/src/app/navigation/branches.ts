/** The parts of a product whose routes are loaded when their address is entered (NAV-1). */
import type { Branch, Product } from '../../kit/session/product.ts';

const opened = new WeakMap<Branch, Product | Promise<Product>>();

/** The branch that an address lies in. */
function branchOf({ branches = [] }: Product, path: string): Branch | undefined {
  return branches.find((branch) => path === branch.path || path.startsWith(`${branch.path}/`));
}

/**
 * The product as an address sees it: inside a branch with the branch's own routes in front. A promise while its code is on the
 * way, the same one for every address of the branch, so that it can be waited for while drawing. It rejects when the code cannot
 * be had; the next call asks again.
 */
export function productAt(product: Product, path: string): Product | Promise<Product> {
  const branch = branchOf(product, path);
  if (branch === undefined) return product;
  const known = opened.get(branch);
  if (known !== undefined) return known;
  const coming = branch.load().then(
    (tree) => {
      const whole = { ...product, ...tree, routes: [...tree.routes, ...product.routes] };
      opened.set(branch, whole);
      return whole;
    },
    (error: unknown) => {
      opened.delete(branch);
      throw error;
    },
  );
  opened.set(branch, coming);
  return coming;
}
