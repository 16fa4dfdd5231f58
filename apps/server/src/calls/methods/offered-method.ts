/** Finds the method that a form asks about. */
import type { Catalogue, CatalogueMethod } from '../../catalogue/catalogue.ts';

/**
 * The method, or undefined when it is not offered. The operator may just have enabled the method at another node, so this node
 * reads the newest catalogue before it answers that it has no such method.
 */
export async function offeredMethod(
  catalogue: Pick<Catalogue, 'method' | 'follow'>,
  wanted: Parameters<Catalogue['method']>[0],
): Promise<CatalogueMethod | undefined> {
  const known = catalogue.method(wanted);
  if (known !== undefined) return known;
  await catalogue.follow(wanted.operatorId);
  return catalogue.method(wanted);
}
