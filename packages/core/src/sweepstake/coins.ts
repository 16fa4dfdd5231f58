import { shownCode } from '../money/currencies.ts';

/** Bought, for play alone: never a withdrawal. */
export const GOLD_COIN = 'GC';
/** Never for sale: free with a box or given by the operator, and redeemed once it was played (SWP-2). */
export const SWEEP_COIN = 'SC';

export type Coin = typeof GOLD_COIN | typeof SWEEP_COIN;

/** The ledger's coin behind a code of either naming (AMT-9: QGC is shown, and counted, as QSC); undefined for any other currency. */
export function coinOf(code: string): Coin | undefined {
  const shown = shownCode(code);
  if (shown === GOLD_COIN) return GOLD_COIN;
  return shown === SWEEP_COIN || shown === 'QSC' ? SWEEP_COIN : undefined;
}
