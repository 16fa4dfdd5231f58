/**
 * Payments that name no deposit, on a chain where all deposits share one wallet. Each is kept under a destination of its own. So its
 * confirmations are counted and its loss is seen as with any other payment. Staff decide about it (`unassigned`).
 */
import { createHash } from 'node:crypto';
import type { AddressStore } from './addresses/address-store.ts';
import type { IncomingPayment } from './chain/chain-source.ts';
import { type Asset, BOOK_DECIMALS, toMinor } from './chain-kinds.ts';
import { unassignedDestination } from './ton/ton-wallet.ts';

/** How a chain with a shared wallet handles payments that name no deposit. */
export interface UnassignedRule {
  /** The partner key of the operator whose staff decide. Absent: the only operator of the installation. */
  readonly operator?: string;
  readonly account: string;
  readonly assets: readonly Asset[];
}

/** A hundredth of a coin. Smaller amounts are advertising that strangers send, and staff need not see them. */
const LEAST_MINOR = 10n ** BigInt(BOOK_DECIMALS - 2);

/** Gives each payment that is large enough a destination, and returns it under that destination. */
export async function keepUnassigned(
  store: AddressStore,
  chain: string,
  { account, assets }: UnassignedRule,
  payments: readonly IncomingPayment[],
): Promise<IncomingPayment[]> {
  const kept: IncomingPayment[] = [];
  for (const payment of payments) {
    const asset = assets.find(({ contract }) => contract === payment.contract);
    if (asset === undefined || toMinor(payment.raw, asset.decimals) < LEAST_MINOR) continue;
    const address = unassignedDestination(payment);
    await store.keep({
      chain,
      address,
      depositId: idOf(chain, address),
      account,
      coin: asset.coin,
      contract: asset.contract ?? '',
      watchedForS: 0,
    });
    kept.push({ ...payment, address });
  }
  return kept;
}

/** The deposit id under which a payment is opened, as a UUID of version 8. The same payment has the same id. */
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
