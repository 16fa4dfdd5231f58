/** What the network took for a payout, as the ledger books it (WD-2). Pure. */
import { CRYPTO_DECIMALS } from '../money/currencies.ts';

/** A fee as a chain says it. */
export interface ChainFee {
  /** In the smallest unit of the chain's own coin. */
  readonly raw: bigint;
  /** The decimals of this coin on the chain. */
  readonly decimals: number;
}

export interface NetworkFeeLine {
  /** A provider, or '' for the operator's own account. */
  readonly owner: string;
  readonly asset: string;
  readonly kind: 'provider_clearing' | 'network_fee';
  /** Minor units of the ledger. */
  readonly amount: bigint;
}

/**
 * A fee in minor units of the ledger. A part of a unit counts as a whole one, so that the ledger never shows more coins in the wallet than
 * it has.
 * @throws RangeError for a negative fee
 */
export function networkFeeMinor({ raw, decimals }: ChainFee): bigint {
  if (raw < 0n) throw new RangeError('A network takes no negative fee');
  if (decimals <= CRYPTO_DECIMALS) return raw * 10n ** BigInt(CRYPTO_DECIMALS - decimals);
  const unit = 10n ** BigInt(decimals - CRYPTO_DECIMALS);
  return (raw + unit - 1n) / unit;
}

/**
 * The journal of a fee: the provider's wallet has less, and the operator has spent it.
 * @param asset the chain's own coin, also where the payout is a token
 * @returns no lines for a payout that was free
 */
export function networkFeeLines(provider: string, asset: string, minor: bigint): NetworkFeeLine[] {
  if (minor === 0n) return [];
  return [
    { owner: provider, asset, kind: 'provider_clearing', amount: minor },
    { owner: '', asset, kind: 'network_fee', amount: -minor },
  ];
}

/** The fee of one payout, as it is booked. */
export interface NetworkFee {
  readonly operatorId: string;
  readonly withdrawalId: string;
  /** Whose wallet paid it. */
  readonly provider: string;
  readonly asset: string;
  readonly minor: bigint;
  /** The mined transaction. */
  readonly hash: string;
}
