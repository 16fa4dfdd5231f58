/**
 * One wallet for everybody on TON: deposits are told apart by the comment that the sender writes (a memo), so a destination is the
 * wallet and the memo together. Payments that name no deposit are strays: they get a destination of their own, by transaction.
 */
import { createHash } from 'node:crypto';
import { Address } from '@ton/core';
import type { AddressPlace } from '../chain/receiving-address.ts';

/** A wallet that cannot be used; the message never repeats it. */
export class WalletError extends Error {
  override readonly name = 'WalletError';
}

/** Only the basic chain and the masterchain exist. */
const WORKCHAINS = [0, -1];

/**
 * Reads the operator's wallet in its friendly form (TEP-2), bounceable or not, which alone has a check sum.
 * @returns the form that is shown to people: not bounceable, so that money also reaches a wallet that was never used
 * @throws WalletError for anything else, and for one of the test network
 */
export function readTonWallet(text: string): string {
  const { address, isTestOnly } = friendly(text.trim());
  if (isTestOnly) throw new WalletError('It is a wallet of the test network.');
  return address.toString({ bounceable: false });
}

/**
 * A jetton's master contract, in either form, as the sources report contracts: raw, in small letters. Undefined for none.
 */
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
    throw new WalletError('It is no wallet of TON in its friendly form (48 letters, such as UQ…).');
  }
  let read: { readonly address: Address; readonly isTestOnly: boolean };
  try {
    read = Address.parseFriendly(text);
  } catch {
    throw new WalletError('It is no wallet of TON: a letter is wrong or missing.');
  }
  if (!WORKCHAINS.includes(read.address.workChain)) throw new WalletError('It is of a workchain that does not exist.');
  return read;
}

/** Digits and capitals without I, L, O and U (Crockford): nothing that a person could misread. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 60 bits: a mistyped memo is nobody's, and two deposits never meet in one. */
const MEMO_LENGTH = 12;

/** The memo at a place of a wallet's series. Branch 0 has the memos that were given out before there were series. */
export function tonMemo(wallet: string, { branch, index }: AddressPlace): string {
  const place = branch === 0 ? index : `${branch}/${index}`;
  const bytes = createHash('sha256').update(`${wallet} ${place}`).digest();
  return Array.from(bytes.subarray(0, MEMO_LENGTH), (byte) => LETTERS.charAt(byte & 31)).join('');
}

/** The memo that somebody meant by a comment: spaces, hyphens and letter case tell nothing. '' for no memo of ours. */
export function readMemo(comment: string): string {
  const memo = comment
    .replace(/[\s\u200b-\u200f\u2060\ufeff-]+/g, '')
    .toUpperCase()
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1');
  return memo.length === MEMO_LENGTH && [...memo].every((letter) => LETTERS.includes(letter)) ? memo : '';
}

/** Wallet and memo as one address of the watcher's. */
export function destinationOf(wallet: string, memo: string): string {
  return `${wallet}/${memo}`;
}

export function splitDestination(destination: string): { readonly wallet: string; readonly memo: string } {
  const [wallet = '', memo = ''] = destination.split('/');
  return { wallet, memo };
}
