import { crossRate } from '@opencashier/core/money/conversion';
import { formatDecimal } from '@opencashier/core/money/format';
import { Notice } from '../../ui/page/card.tsx';
import { writtenTime } from '../format/written-time.ts';
import { type Texts, useTexts } from '../session/services.tsx';
import type { SummaryRow } from '../withdrawal/summary.tsx';
import { amountText } from '../withdrawal/withdrawal-text.ts';
import type { Payout, PayoutField, Rate } from './use-payout.ts';

/** What arrives, as a value beside its title; a dash until it is known. An old rate's result is marked as such. */
export function payoutText({ payout, currency }: PayoutField, texts: Texts): string {
  if (payout.at === 'ready') return amountText(payout.amount, currency, texts);
  if (payout.at === 'stale') {
    return texts.translate('payout.about', { amount: amountText(payout.amount, currency, texts, true) });
  }
  return payout.at === 'asking' ? '…' : '–';
}

/** More decimals than any rate that a person can use. */
const RATE_DECIMALS = 8;

interface Pair {
  readonly from: string;
  readonly to: string;
}

/** So small a rate says nothing: `1 UZS = 0.000000001 BTC`. */
const isTiny = (rate: string): boolean => /^0\.00\d*[1-9]/.test(rate);
/** Of a rate that is turned round, as coins are priced. */
const PRICE_DECIMALS = 2;

/** `Rate at 14:32` and `1 SC = 0.9998 USDT`, or `1 BTC = 61,000.5 EUR` where the coin is worth much; a row of a summary. */
export function rateRow(rate: Rate, { from, to }: Pair, now: number, texts: Texts): SummaryRow {
  const { formatLocale } = texts;
  const price = isTiny(rate.value) ? crossRate(rate.value, '1') : undefined;
  const one = formatDecimal('1', formatLocale, 0, 0);
  const sides =
    price === undefined
      ? `${one} ${from} = ${formatDecimal(rate.value, formatLocale, 0, RATE_DECIMALS)} ${to}`
      : `${one} ${to} = ${formatDecimal(price, formatLocale, 0, PRICE_DECIMALS)} ${from}`;
  const asOf = Date.parse(rate.asOf ?? '');
  return {
    id: 'rate',
    title: Number.isNaN(asOf)
      ? texts.translate('payout.rate')
      : texts.translate('payout.rateAt', { time: writtenTime(asOf, now, texts) }),
    value: `\u2066${sides}\u2069`,
  };
}

const words: Partial<Record<Payout['at'], string>> = {
  stale: 'payout.stale',
  unknown: 'payout.unknown',
};

/** What is wrong with the rate, said when it happens; what was typed stays either way. A lost line is said over every screen. */
export function PayoutNote({ field: { payout, hasChanged } }: { readonly field: PayoutField }) {
  const { translate } = useTexts();
  const key = words[payout.at] ?? (hasChanged ? 'payout.changed' : undefined);
  return <div role="status">{key && <Notice tone="warn">{translate(key)}</Notice>}</div>;
}
