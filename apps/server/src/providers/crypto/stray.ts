/**
 * Where one wallet serves everybody, money comes that names no deposit. It is kept under a destination of its own, so that its blocks
 * are counted and its loss is seen like those of any other payment, and it is reported for people to decide about.
 */
import { createHash } from 'node:crypto';
import type { AddressStore } from './addresses/address-store.ts';
import type { Incoming } from './chain/chain-source.ts';
import { type Asset, BOOK_DECIMALS, toMinor } from './chain-kinds.ts';
import { strayDestination } from './ton/stray-destination.ts';

/** What a chain with one wallet does with money for nobody. */
export interface Strays {
  /** The partner key of the operator whose people decide; absent: the only one of the installation. */
  readonly operator?: string;
  readonly account: string;
  readonly assets: readonly Asset[];
}

/** Less, in a hundredth of a coin, is advertising that strangers send around: people are not asked about it. */
const LEAST = 10n ** BigInt(BOOK_DECIMALS - 2);

/** Gives those a destination that are worth a question. */
export async function keepStrays(
  store: AddressStore,
  chain: string,
  { account, assets }: Strays,
  parts: readonly Incoming[],
): Promise<Incoming[]> {
  const kept: Incoming[] = [];
  for (const part of parts) {
    const asset = assets.find(({ contract }) => contract === part.contract);
    if (asset === undefined || toMinor(part.raw, asset.decimals) < LEAST) continue;
    const address = strayDestination(part);
    await store.keep({
      chain,
      address,
      depositId: idOf(chain, address),
      account,
      coin: asset.coin,
      contract: asset.contract ?? '',
      watchedForS: 0,
    });
    kept.push({ ...part, address });
  }
  return kept;
}

/** The same one for the same payment, in the form of a UUID of version 8. */
function idOf(chain: string, address: string): string {
  const digits = createHash('sha256').update(`${chain} ${address}`).digest('hex');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
