/** How a fee is written: the amount of the fee, or its rule before an amount is typed. */
import type { FeeRule } from '@opencashier/contract/api';
import type { Texts } from '../session/services.tsx';
import { amountText } from './withdrawal-text.ts';

/**
 * @param fee the decimal string of the fee of the typed amount; undefined: no amount is typed
 */
export function feeText(rule: FeeRule | undefined, fee: string | undefined, currency: string, texts: Texts): string {
  const { translate, formatLocale } = texts;
  const parts = [
    ...(rule?.fixed === undefined ? [] : [amountText(rule.fixed, currency, texts)]),
    ...(rule?.percent === undefined ? [] : [percentText(rule.percent, formatLocale)]),
  ];
  // Without a fixed part and a percentage the least fee is the whole rule.
  if (parts.length === 0 && rule?.min !== undefined) parts.push(amountText(rule.min, currency, texts));
  if (parts.length === 0 || rule?.paidBy === 'operator') return translate('withdrawal.fee.none');
  return fee === undefined ? parts.join(' + ') : amountText(fee, currency, texts);
}

/** `1.5` as `1.5%`. A number may hold it, because it is not money. */
function percentText(share: string, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 4 }).format(Number(share) / 100);
}
