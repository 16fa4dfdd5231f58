import type { Branch } from '../kit/session/product.ts';

/** The withdrawals of a product below one address. Only whoever goes there loads what is there. */
export function withdrawalBranch(path: string): Branch {
  return { path, load: async () => (await import('./withdrawal-tree.ts')).withdrawalTree(path) };
}
