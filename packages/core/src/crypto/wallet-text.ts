/** Reads what people paste as a wallet address. Often it is a payment link, and a withdrawal needs only its address. */

/** The parts of a pasted or typed wallet text. */
export interface WalletText {
  /** The address without spaces, scheme and query. For a text that is not a link, the text itself. */
  readonly address: string;
  /** The link contains an amount. The cashier ignores it, because the user sets the amount of a withdrawal. */
  readonly hasAmount: boolean;
  /** The memo that the receiver expects with the coins, from a TON link. */
  readonly memo?: string;
}

/** Invisible characters in copied text: zero-width spaces and direction marks. */
const INVISIBLE = /[\s\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/g;

/** A shorter text is not read as a link yet, because the user may still be typing a scheme. */
const SHORTEST_ADDRESS = 25;

const AMOUNTS = ['amount', 'value', 'uint256'];

/**
 * Reads the text of a wallet field: an address or a payment link. Reading the result again changes nothing.
 * Known links: BIP 21 (`bitcoin:…?amount=…`) and similar schemes, EIP-681 (`ethereum:…@1`) and `ton://transfer/…`.
 * In a token's EIP-681 link (`/transfer?address=…`) the first address is the contract, so the query's address is used.
 */
export function readWalletText(text: string): WalletText {
  const plain = text.replace(INVISIBLE, '');
  const link = /^(?:[a-z]{3,16}:(?:\/\/)?)?(?:transfer\/|pay-)?([^?@/:]+)(?:@[^?/]*)?(?:\/([^?]*))?(?:\?(.*))?$/i.exec(
    plain,
  );
  if (link === null) return { address: plain, hasAmount: false };
  const [, first = '', call, query = ''] = link;
  const isLink = first.length !== plain.length;
  // An old base64 address contains slashes. They separate a path only when the text is a link.
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
