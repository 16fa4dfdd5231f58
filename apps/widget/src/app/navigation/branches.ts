/** Branches of a product: routes that are loaded when a person opens their address (NAV-1). */
import type { Branch, Product } from '../../kit/session/product.ts';

const opened = new WeakMap<Branch, Product | Promise<Product>>();

/** The branch of an address. */
function branchOf({ branches = [] }: Product, path: string): Branch | undefined {
  return branches.find((branch) => path === branch.path || path.startsWith(`${branch.path}/`));
}

/**
 * The product with the routes of the branch that an address is in. While the branch is being loaded, a promise. It is the same
 * promise for every address of the branch, so that React can wait for it while drawing. It rejects when loading fails; the
 * next call loads again.
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
