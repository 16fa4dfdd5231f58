import type { SweepstakeBox } from '@opencashier/contract/api';
import { shownCode } from '@opencashier/core/money/currencies';
import { formatWireAmount } from '@opencashier/core/money/format';
import type { Texts } from '../session/services.tsx';

/**
 * An amount of coins, formatted. Whole gold coins have no decimals; sweep coins are written like money. QGC is written QSC
 * (AMT-9).
 */
export function coinText(currency: string, amount: string, { formatLocale }: Texts): string {
  const written = formatWireAmount({ amount, currency }, formatLocale, { isolate: true, trimWhole: currency === 'GC' });
  return written ?? `${amount} ${currency}`;
}

/** The code of a box's sweep coins, which have two codes (AMT-9). */
export function sweepCode({ currenciesList }: Pick<SweepstakeBox, 'currenciesList'>): string {
  const codes = currenciesList.map(({ currency }) => shownCode(currency));
  return codes.find((code) => code === 'SC' || code === 'QSC') ?? 'SC';
}

/** Whether the amount is more than zero. A box may have no sweep coins; the text then names none. */
export function hasCoins(amount: string): boolean {
  return /[1-9]/.test(amount);
}
