/**
 * The bloom filter in the head of an Ethereum block (Yellow Paper, 4.3.1). It says whether the block may hold events of a contract, and
 * never denies an event that is there. So it exposes a node that leaves events out.
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { hex } from '@scure/base';

const BITS = 2048;
/** The filter in hex digits, after `0x`. */
const FORM = /^0x[0-9a-f]{512}$/i;

/**
 * Whether a block may hold events that name all items. True also where there is no usable filter.
 * @param items hex digits of contract addresses or event topics
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

/** The three bits of an item. Bits are counted from the end: bit 0 is the lowest bit of the last byte. */
export function placesOf(item: string): { readonly at: number; readonly mask: number }[] {
  const hash = new DataView(keccak_256(hex.decode(item.toLowerCase())).buffer);
  return [0, 2, 4].map((offset) => {
    const bit = hash.getUint16(offset) % BITS;
    return { at: BITS / 8 - 1 - Math.floor(bit / 8), mask: 1 << (bit % 8) };
  });
}
