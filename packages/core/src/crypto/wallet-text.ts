/** What people paste as a wallet's address: often a payment link, of which a withdrawal can use the address alone. */

/** A pasted or typed wallet, read. */
export interface WalletText {
  /** Without spaces, scheme and query; the text itself where it is no link. */
  readonly address: string;
  /** The link named an amount, which is not the sender's to follow. */
  readonly hasAmount: boolean;
  /** What the receiver wants to see beside the coins, from a link of TON. */
  readonly memo?: string;
}

/** Invisible characters that come along when a text is copied: no-width spaces and marks of direction. */
const INVISIBLE = /[\s\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/g;

/** What comes before this many characters may still be somebody typing a scheme by hand. */
const SHORTEST_ADDRESS = 25;

const AMOUNTS = ['amount', 'value', 'uint256'];

/**
 * Reads what stands in a wallet field: BIP 21 (`bitcoin:…?amount=…`) and the schemes like it, EIP-681 (`ethereum:…@1`, also a
 * token's `/transfer?address=…`, where the first address is only the token's), and `ton://transfer/…`. Reading its own result
 * again changes nothing.
 */
export function readWalletText(text: string): WalletText {
  const plain = text.replace(INVISIBLE, '');
  const link = /^(?:[a-z]{3,16}:(?:\/\/)?)?(?:transfer\/|pay-)?([^?@/:]+)(?:@[^?/]*)?(?:\/([^?]*))?(?:\?(.*))?$/i.exec(
    plain,
  );
  if (link === null) return { address: plain, hasAmount: false };
  const [, first = '', call, query = ''] = link;
  const isLink = first.length !== plain.length;
  // Base64 of the older form has slashes, which only a link makes a path of.
  if (!isLink || (!/^[a-z]{3,16}:/i.test(plain) && !plain.includes('?'))) return { address: plain, hasAmount: false };
  const params = new URLSearchParams(query);
  const address = call === 'transfer' ? (params.get('address') ?? '') : first;
  if (address.length < SHORTEST_ADDRESS) return { address: plain, hasAmount: false };
  const memo = params.get('text')?.trim();
  return {
    address,
    hasAmount: AMOUNTS.some((name) => params.has(name)),
    ...(memo === undefined || memo === '' ? {} : { memo }),
  };
}
