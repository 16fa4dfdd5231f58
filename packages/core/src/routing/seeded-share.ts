/** Choices that look random and are a function of a seed alone, so that a stored decision can be repeated. */

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const RANGE = 0x1_0000_0000;

/**
 * A number from 0 to below 1 that depends on the texts alone: FNV-1a, and the last step of MurmurHash3, which spreads small differences
 * over all bits. Whole numbers only, so that every machine gets the same number.
 * @param purpose keeps the choices of one payment apart
 */
export function seededShare(seed: string, purpose: string): number {
  let hash = FNV_OFFSET;
  for (const text of [seed, '\n', purpose]) {
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / RANGE;
}

/**
 * The items in an order in which each is first as often as its weight says. Items of the weight 0 come after all others, as they were
 * given.
 * @param weightOf zero or more
 */
export function weightedOrder<Item>(
  items: readonly Item[],
  weightOf: (item: Item) => number,
  seed: string,
  purpose: string,
): Item[] {
  const rest = items.filter((item) => weightOf(item) > 0);
  const order: Item[] = [];
  while (rest.length > 0) {
    const total = rest.reduce((sum, item) => sum + weightOf(item), 0);
    let left = seededShare(seed, `${purpose} ${order.length}`) * total;
    const at = rest.findIndex((item) => {
      left -= weightOf(item);
      return left < 0;
    });
    // Of fractions the last one may be missed by a rounding.
    order.push(...rest.splice(at === -1 ? rest.length - 1 : at, 1));
  }
  return [...order, ...items.filter((item) => weightOf(item) <= 0)];
}
