import { crossRate } from '@opencashier/core/money/conversion';
import { formatDecimal } from '@opencashier/core/money/format';
import { Notice } from '../../ui/page/card.tsx';
import { writtenTime } from '../format/written-time.ts';
import { type Texts, useTexts } from '../session/services.tsx';
import type { SummaryRow } from '../withdrawal/summary.tsx';
import { amountText } from '../withdrawal/withdrawal-text.ts';
import type { Payout, PayoutField, Rate } from './use-payout.ts';

/** The amount that arrives, for a row with a title; a dash until it is known. The result of an old rate is marked with "about". */
export function payoutText({ payout, currency }: PayoutField, texts: Texts): string {
  if (payout.at === 'ready') return amountText(payout.amount, currency, texts);
  if (payout.at === 'stale') {
    return texts.translate('payout.about', { amount: amountText(payout.amount, currency, texts, true) });
  }
  return payout.at === 'asking' ? '…' : '–';
}

/** Enough decimals for every rate. */
const RATE_DECIMALS = 8;

interface Pair {
  readonly from: string;
  readonly to: string;
}

/** Whether a rate is too small to be read: `1 UZS = 0.000000001 BTC`. */
const isTiny = (rate: string): boolean => /^0\.00\d*[1-9]/.test(rate);
/** Decimals of an inverted rate, which is the price of a coin. */
const PRICE_DECIMALS = 2;

/** A row with the rate: `Rate as of 14:32` and `1 SC = 0.9998 USDT`. A tiny rate is inverted: `1 BTC = 61,000.5 EUR`. */
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

/**
 * Announces a problem with the rate. What the user typed stays. Another notice says on every screen that the connection is lost.
 */
export function PayoutNote({ field: { payout, hasChanged } }: { readonly field: PayoutField }) {
  const { translate } = useTexts();
  const key = words[payout.at] ?? (hasChanged ? 'payout.changed' : undefined);
  return <div role="status">{key && <Notice tone="warn">{translate(key)}</Notice>}</div>;
}
