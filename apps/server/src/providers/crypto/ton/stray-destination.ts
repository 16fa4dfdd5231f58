/** Where a payment to the one wallet is kept that names no deposit: the wallet, and in place of a memo the payment's own id. */
import type { Incoming } from '../chain/chain-source.ts';
import { splitDestination } from './ton-wallet.ts';

/** No memo has this sign. */
const SIGN = '?';

/** Under which a payment without an owner is kept. */
export function strayDestination({ address, txid }: Pick<Incoming, 'address' | 'txid'>): string {
  return `${splitDestination(address).wallet}/${SIGN}${txid}`;
}

export function isStray(destination: string): boolean {
  return splitDestination(destination).memo.startsWith(SIGN);
}
