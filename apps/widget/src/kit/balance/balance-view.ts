/** What the balance and the choice of its currency show, without any drawing (CRY-3). */
import type { Balance } from '@opencashier/contract/api';
import { formatWireAmount } from '@opencashier/core/money/format';
import { writtenTime } from '../format/written-time.ts';
import type { Texts } from '../session/services.tsx';
import type { BalanceKind } from './balance-currency.ts';
import type { Balances } from './balances.ts';
import { currencyName } from './currency-name.ts';

export type ValueView =
  /** The balance is in the currency in which values are shown. */
  | { readonly at: 'none' }
  | { readonly at: 'unknown' }
  | {
      readonly at: 'known';
      readonly amount: string;
      /** The time of the rate, if the rate may be out of date. */
      readonly staleSince: string | undefined;
    };

/** The value of a balance now. A rate becomes stale by this device's clock, even while the server cannot be asked. */
export function valueView(balances: Balances, currency: string, now: number, texts: Texts): ValueView {
  if (currency === balances.currency) return { at: 'none' };
  const value = balanceOf(balances, currency)?.fiatValue;
  const amount = value && formatWireAmount(value, texts.formatLocale, { isolate: true });
  if (value === undefined || amount === undefined) return { at: 'unknown' };
  const isStale = value.isStale || now >= staleAt(value.freshForSeconds, balances.receivedAt);
  return { at: 'known', amount, staleSince: isStale ? writtenTime(Date.parse(value.rateAt), now, texts) : undefined };
}

/**
 * When the rate behind a value becomes stale, by this device's clock. Undefined without a rate, or for one that is stale already.
 */
export function whenStale(balances: Balances | undefined, currency: string): number | undefined {
  const value = balances && balanceOf(balances, currency)?.fiatValue;
  return value === undefined || value.isStale ? undefined : staleAt(value.freshForSeconds, balances?.receivedAt ?? 0);
}

const staleAt = (freshForSeconds: number, receivedAt: number): number => receivedAt + freshForSeconds * 1_000;

export function balanceOf({ balances }: Balances, currency: string): Balance | undefined {
  return balances.find((balance) => balance.currency === currency);
}

export interface CurrencyChoice {
  readonly value: string;
  /** Code and name. */
  readonly text: string;
  readonly detail: string | undefined;
}

/**
 * The currencies of a kind in the server's order, the host's first. The chosen currency is listed even if the server does not
 * name it.
 */
export function currencyChoices(
  balances: Balances | undefined,
  kind: BalanceKind,
  chosen: string,
  texts: Texts,
): CurrencyChoice[] {
  const offered = (balances?.balances ?? []).filter((balance) => balance.kind === kind);
  const codes = new Set(offered.map(({ currency }) => currency)).add(chosen);
  return [...codes].map((code) => {
    const held = balances && balanceOf(balances, code);
    return {
      value: code,
      text: [code, nameOf(code, texts)].filter(Boolean).join(' · '),
      detail: held && formatWireAmount({ amount: held.balance, currency: code }, texts.formatLocale),
    };
  });
}

function nameOf(code: string, texts: Texts): string | undefined {
  const key = [`coin.${code}`, `currency.${code}`].find((one) => texts.has(one));
  const name = key === undefined ? currencyName(code, texts) : texts.translate(key);
  return name === code ? undefined : name;
}
