/** Characters that are highlighted at each end of an address, and kept at each end of a shortened hash. */
const END_LENGTH = 5;
const LONGEST_WHOLE_HASH = 10;

/** An address in three parts, of which the first and the last are highlighted. */
export interface AddressParts {
  readonly head: string;
  readonly middle: string;
  readonly tail: string;
}

/** First 5, middle and last 5 characters of an address (CRY-1); joined they are the address. A short one is all head. */
export function addressParts(address: string): AddressParts {
  if (address.length <= END_LENGTH * 2) return { head: address, middle: '', tail: '' };
  return {
    head: address.slice(0, END_LENGTH),
    middle: address.slice(END_LENGTH, -END_LENGTH),
    tail: address.slice(-END_LENGTH),
  };
}

/** A transaction hash of over 10 characters with 5 left at each end (CRY-2): `8f3a1…c09de`. */
export function shortenHash(hash: string): string {
  return hash.length > LONGEST_WHOLE_HASH ? `${hash.slice(0, END_LENGTH)}…${hash.slice(-END_LENGTH)}` : hash;
}
