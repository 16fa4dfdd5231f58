import type { SweepstakeBox } from '@opencashier/contract/api';
import { shownCode } from '@opencashier/core/money/currencies';
import { formatWireAmount } from '@opencashier/core/money/format';
import type { Texts } from '../session/services.tsx';

/** Coins as a person reads them: gold ones whole where they are whole, sweep ones like money. QGC is written QSC (AMT-9). */
export function coinText(currency: string, amount: string, { formatLocale }: Texts): string {
  const written = formatWireAmount({ amount, currency }, formatLocale, { isolate: true, trimWhole: currency === 'GC' });
  return written ?? `${amount} ${currency}`;
}

/** The code under which a box names its sweep coins, which have two namings (AMT-9). */
export function sweepCode({ currenciesList }: Pick<SweepstakeBox, 'currenciesList'>): string {
  const codes = currenciesList.map(({ currency }) => shownCode(currency));
  return codes.find((code) => code === 'SC' || code === 'QSC') ?? 'SC';
}

/** A box may come without any sweep coins; then none are named. */
export function hasCoins(amount: string): boolean {
  return /[1-9]/.test(amount);
}
