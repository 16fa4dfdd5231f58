/** Fees of a replacement. Nodes take a transaction for a spent slot only with a clearly higher fee. */

/** Ethereum's nodes want 10 percent more. A little above that, so that rounding does not matter. */
const RAISE_PERCENT = 113n;

/**
 * The next fee for the same slot, at least what the chain asks for now.
 * @param most the operator's bound
 * @returns undefined when the bound does not allow a replacement
 */
export function raisedFee(last: bigint, now: bigint, most: bigint): bigint | undefined {
  const percent = (last * RAISE_PERCENT + 99n) / 100n;
  // Bitcoin's nodes want at least one unit per byte more.
  const least = percent > last ? percent : last + 1n;
  const wanted = now > least ? now : least;
  if (wanted <= most) return wanted;
  return least <= most ? most : undefined;
}
