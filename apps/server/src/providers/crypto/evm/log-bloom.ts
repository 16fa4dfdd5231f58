/**
 * The filter that the head of a block of Ethereum's kind carries (Yellow Paper, 4.3.1): whether events of a contract may stand in the
 * block. It never says no of what is there, so that a node that leaves events out is found out.
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { hex } from '@scure/base';

const BITS = 2048;
/** As digits in a head, with `0x` before them. */
const FORM = /^0x[0-9a-f]{512}$/i;

/**
 * @param items hex digits of contracts' addresses or of events' topics
 * @returns whether a block may hold events that name all of them; true as well where the filter is none
 */
export function mayHold(bloom: string | undefined, items: readonly string[]): boolean {
  if (bloom === undefined || !FORM.test(bloom)) return true;
  const bytes = hex.decode(bloom.slice(2).toLowerCase());
  return items.every((item) =>
    placesOf(item).every(({ at, mask }) => {
      const byte = bytes[at];
      return byte !== undefined && (byte & mask) !== 0;
    }),
  );
}

/** The three bits that stand for an item: the last one of 2048 is the first of the last byte. */
export function placesOf(item: string): { readonly at: number; readonly mask: number }[] {
  const hash = new DataView(keccak_256(hex.decode(item.toLowerCase())).buffer);
  return [0, 2, 4].map((offset) => {
    const bit = hash.getUint16(offset) % BITS;
    return { at: BITS / 8 - 1 - Math.floor(bit / 8), mask: 1 << (bit % 8) };
  });
}
