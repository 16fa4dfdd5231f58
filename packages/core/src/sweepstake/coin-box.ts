import type { SweepstakeBox } from '@opencashier/contract/api';
import { decimalsOf, shownCode } from '../money/currencies.ts';
import { formatWireAmount } from '../money/format.ts';
import { parseDecimal, toDecimalString } from '../money/money.ts';

/** The error message of a sweepstake deposit without a box (section 8, SWP-3). */
export const NO_BOX_SELECTED_MESSAGE = 'No sweepstake box selected for sweepstake deposit';

/** A coin box for display (SWP-1): canonical decimal strings, and the price as text. */
export interface CoinBox {
  readonly boxId: string;
  /** Free sweep coins of the box. */
  readonly scAmount: string;
  /** Gold coins, which the user buys. */
  readonly gcAmount: string;
  readonly formattedPrice: string;
}

const GOLD: ReadonlySet<string> = new Set(['GC']);
const SWEEP: ReadonlySet<string> = new Set(['SC', 'QSC']);

/**
 * The content of a coin box (SWP-1): gold coins, bought and free, and sweep coins, which are only free.
 * QGC is shown and counted as QSC. An amount that cannot be read counts as zero.
 */
export function describeBox(box: SweepstakeBox, locale: string | undefined): CoinBox {
  const decimals = decimalsOf('SC');
  const sum = (codes: ReadonlySet<string>, parts: readonly ('main' | 'free')[]): string => {
    const entries = box.currenciesList.filter(({ currency }) => codes.has(shownCode(currency)));
    const minors = entries.flatMap((entry) => parts.map((part) => readMinor(entry[part], decimals)));
    return toDecimalString(
      minors.reduce((total, minor) => total + minor, 0n),
      decimals,
    );
  };
  const price = { amount: box.price, currency: box.priceCurrencyCode };
  return {
    boxId: box.boxId,
    scAmount: sum(SWEEP, ['free']),
    gcAmount: sum(GOLD, ['main', 'free']),
    formattedPrice: formatWireAmount(price, locale) ?? `${box.price} ${box.priceCurrencyCode}`,
  };
}

function readMinor(text: string, decimals: number): bigint {
  const result = parseDecimal(text, decimals);
  return result.ok ? result.minor : 0n;
}

/** The state of the sweepstake after a failed request (SWP-3): no boxes, no rate, empty balances. */
export const SWEEPSTAKE_AFTER_FAILURE = {
  boxes: [] as readonly SweepstakeBox[],
  rate: null,
  balances: { GC: '0', SC: '0' },
} as const;
