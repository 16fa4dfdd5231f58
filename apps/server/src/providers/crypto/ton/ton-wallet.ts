/**
 * All deposits on TON share one wallet. The memo, a comment that the sender writes, names the deposit. So the destination of a deposit
 * is the wallet and the memo together. A payment that names no deposit is unassigned and gets a destination of its own.
 */
import { createHash } from 'node:crypto';
import { Address } from '@ton/core';
import type { IncomingPayment } from '../chain/chain-source.ts';
import type { AddressPlace } from '../chain/receiving-address.ts';

/** A wallet that cannot be used. The message never repeats it. */
export class WalletError extends Error {
  override readonly name = 'WalletError';
}

/** Only the basic chain and the masterchain exist. */
const WORKCHAINS = [0, -1];

/**
 * Reads the operator's wallet in its user-friendly form (TEP-2), bounceable or not. The raw form is refused: it has no checksum.
 * @returns the form that payers see. It does not bounce, so that money also reaches a wallet that was never used
 * @throws WalletError for anything else, and for a wallet of the test network
 */
export function readTonWallet(text: string): string {
  const { address, isTestOnly } = friendly(text.trim());
  if (isTestOnly) throw new WalletError('The wallet is of the test network.');
  return address.toString({ bounceable: false });
}

/** A jetton's master contract in the raw form with small letters, which the source reports. Undefined for anything else. */
export function readTonContract(text: string): string | undefined {
  try {
    if (Address.isRaw(text)) return Address.parseRaw(text).toRawString();
    const { address, isTestOnly } = friendly(text);
    return isTestOnly ? undefined : address.toRawString();
  } catch (error) {
    if (error instanceof WalletError) return undefined;
    throw error;
  }
}

function friendly(text: string): { readonly address: Address; readonly isTestOnly: boolean } {
  if (!/^(?:[A-Za-z0-9+/]{48}|[A-Za-z0-9_-]{48})$/.test(text)) {
    throw new WalletError('The wallet is not a TON address in the user-friendly form (48 characters, such as UQ…).');
  }
  let read: { readonly address: Address; readonly isTestOnly: boolean };
  try {
    read = Address.parseFriendly(text);
  } catch {
    throw new WalletError('The wallet is not a TON address: a character is wrong or missing.');
  }
  if (!WORKCHAINS.includes(read.address.workChain))
    throw new WalletError('The wallet is on a workchain that does not exist.');
  return read;
}

/** Digits and capital letters without I, L, O and U (Crockford), so that people do not misread a memo. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 60 bits, so that two deposits never share a memo and a mistyped memo belongs to nobody. */
const MEMO_LENGTH = 12;

/** The memo at a place of a wallet's series. Branch 0 holds the memos from before there were series. */
export function tonMemo(wallet: string, { branch, index }: AddressPlace): string {
  const place = branch === 0 ? index : `${branch}/${index}`;
  const bytes = createHash('sha256').update(`${wallet} ${place}`).digest();
  return Array.from(bytes.subarray(0, MEMO_LENGTH), (byte) => LETTERS.charAt(byte & 31)).join('');
}

/** The memo in a comment. Spaces, hyphens and letter case do not count. '' where the comment holds no memo of ours. */
export function readMemo(comment: string): string {
  const memo = comment
    .replace(/[\s\u200b-\u200f\u2060\ufeff-]+/g, '')
    .toUpperCase()
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1');
  return memo.length === MEMO_LENGTH && [...memo].every((letter) => LETTERS.includes(letter)) ? memo : '';
}

/** Wallet and memo as one text, which the watcher uses as the address of a deposit. */
export function destinationOf(wallet: string, memo: string): string {
  return `${wallet}/${memo}`;
}

export function splitDestination(destination: string): { readonly wallet: string; readonly memo: string } {
  const [wallet = '', memo = ''] = destination.split('/');
  return { wallet, memo };
}

/** Marks the destination of a payment that names no deposit. No memo contains this character. */
const UNASSIGNED_SIGN = '?';

/** The destination of a payment that names no deposit: the wallet, and the transaction's id in place of a memo. */
export function unassignedDestination({ address, txid }: Pick<IncomingPayment, 'address' | 'txid'>): string {
  return `${splitDestination(address).wallet}/${UNASSIGNED_SIGN}${txid}`;
}

export function isUnassigned(destination: string): boolean {
  return splitDestination(destination).memo.startsWith(UNASSIGNED_SIGN);
}
