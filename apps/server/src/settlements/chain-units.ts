/** Units of coins: the smallest ones on a chain, and the minor ones of the ledger. */

/** The decimals of every coin in the ledger. */
const BOOK_DECIMALS = 8;

/** An amount on the chain times `up` and divided by `down` is in minor units. */
export function unitsOf(decimals: number): { readonly up: bigint; readonly down: bigint } {
  return decimals >= BOOK_DECIMALS
    ? { up: 1n, down: 10n ** BigInt(decimals - BOOK_DECIMALS) }
    : { up: 10n ** BigInt(BOOK_DECIMALS - decimals), down: 1n };
}
