/** The number of characters that stay visible at each end of an address or of a short hash. */
const END_LENGTH = 5;
const LONGEST_WHOLE_HASH = 10;

/** An address in three parts. The first and the last part are highlighted. */
export interface AddressParts {
  readonly head: string;
  readonly middle: string;
  readonly tail: string;
}

/** Splits an address into the first 5, the middle and the last 5 characters (CRY-1). A short address is all head. */
export function addressParts(address: string): AddressParts {
  if (address.length <= END_LENGTH * 2) return { head: address, middle: '', tail: '' };
  return {
    head: address.slice(0, END_LENGTH),
    middle: address.slice(END_LENGTH, -END_LENGTH),
    tail: address.slice(-END_LENGTH),
  };
}

/** Shortens a transaction hash of more than 10 characters to 5 characters at each end (CRY-2): `8f3a1…c09de`. */
export function shortenHash(hash: string): string {
  return hash.length > LONGEST_WHOLE_HASH ? `${hash.slice(0, END_LENGTH)}…${hash.slice(-END_LENGTH)}` : hash;
}
