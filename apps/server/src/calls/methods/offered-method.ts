/** The method that a form asks about, between the list that showed it and the payment. */
import type { Catalogue, CatalogueMethod } from '../../catalogue/catalogue.ts';

/**
 * Undefined where it is not offered. One that this node does not offer may just have been switched on at another, whose list showed
 * it: that is asked before it is refused.
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
