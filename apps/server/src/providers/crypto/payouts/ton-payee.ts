/** Whom a payout on TON pays: an address, and the memo by which an exchange knows its customer. Both are stored as one text. */
import { Address } from '@ton/core';

export interface TonPayee {
  readonly address: Address;
  /** The address says that a contract gives the money back which it cannot use. */
  readonly isBounceable: boolean;
  /** '' for none. */
  readonly memo: string;
}

/** Only the basic chain and the masterchain exist. */
const WORKCHAINS = [0, -1];
/** A comment of this size costs little to send. */
const MOST_MEMO_BYTES = 480;

/** The text that is stored for a payout: the address, and the memo after a slash. It proves nothing about either. */
export function payeeText(address: string, memo: string | undefined): string {
  // The other spelling of an address may contain a slash itself.
  const spelling = address.trim().replaceAll('+', '-').replaceAll('/', '_');
  const comment = memo?.trim() ?? '';
  return comment === '' ? spelling : `${spelling}/${comment}`;
}

/** The two parts of a text of {@link payeeText}. */
export function splitPayee(text: string): { readonly address: string; readonly memo: string } {
  const at = text.indexOf('/');
  return at < 0 ? { address: text, memo: '' } : { address: text.slice(0, at), memo: text.slice(at + 1) };
}

/**
 * Reads a text of {@link payeeText}. The raw form of an address is refused, because it has no checksum.
 * @returns what is wrong, otherwise. An address of the test network is wrong, too
 */
export function readPayee(text: string): TonPayee | 'bad-address' | 'bad-memo' {
  const { address, memo } = splitPayee(text);
  if (!/^[A-Za-z0-9_-]{48}$/.test(address)) return 'bad-address';
  let read: ReturnType<typeof Address.parseFriendly>;
  try {
    read = Address.parseFriendly(address);
  } catch {
    return 'bad-address';
  }
  if (read.isTestOnly || !WORKCHAINS.includes(read.address.workChain)) return 'bad-address';
  if (Buffer.byteLength(memo) > MOST_MEMO_BYTES) return 'bad-memo';
  return { address: read.address, isBounceable: read.isBounceable, memo };
}
