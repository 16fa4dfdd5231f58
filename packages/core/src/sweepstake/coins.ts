import { shownCode } from '../money/currencies.ts';

/** Gold coins: bought for play, never withdrawn. */
export const GOLD_COIN = 'GC';
/** Sweep coins: never sold. They are free with a box or granted by the operator, and redeemable after play (SWP-2). */
export const SWEEP_COIN = 'SC';

/** The sweepstake coins of the ledger. */
export type Coin = typeof GOLD_COIN | typeof SWEEP_COIN;

/**
 * The ledger's coin for a code of either naming (AMT-9: QGC is shown and counted as QSC). Undefined for other currencies.
 */
export function coinOf(code: string): Coin | undefined {
  const shown = shownCode(code);
  if (shown === GOLD_COIN) return GOLD_COIN;
  return shown === SWEEP_COIN || shown === 'QSC' ? SWEEP_COIN : undefined;
}

/** One sweep coin is worth one unit of this currency, whatever currency the payout has. */
export const SWEEP_COIN_VALUE = 'USD';
