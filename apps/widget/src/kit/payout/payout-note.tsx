import { formatDecimal } from '@opencashier/core/money/format';
import { Notice } from '../../ui/card.tsx';
import { type Texts, useTexts } from '../services.tsx';
import { amountText } from '../withdrawal/withdrawal-text.ts';
import type { Payout, PayoutField } from './use-payout.ts';

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

/** `1 SC = 0.9998 USDT`, or nothing while there is no rate. */
export function rateText({ payout, currency }: PayoutField, from: string, texts: Texts): string | undefined {
  if (!('rate' in payout) || payout.rate === undefined) return undefined;
  const rate = formatDecimal(payout.rate, texts.formatLocale, 0, RATE_DECIMALS);
  const one = formatDecimal('1', texts.formatLocale, 0, 0);
  return `\u2066${one} ${from} = ${rate} ${currency}\u2069`;
}

const words: Partial<Record<Payout['at'], string>> = {
  stale: 'payout.stale',
  offline: 'payout.offline',
  unknown: 'payout.unknown',
};

/** What is wrong with the rate, said when it happens; what was typed stays either way. */
export function PayoutNote({ field: { payout, hasChanged } }: { readonly field: PayoutField }) {
  const { translate } = useTexts();
  const key = words[payout.at] ?? (hasChanged ? 'payout.changed' : undefined);
  return <div role="status">{key && <Notice tone="warn">{translate(key)}</Notice>}</div>;
}
