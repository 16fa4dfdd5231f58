/**
 * The effective catalogue of an operator: what it has defined, with what it has switched off (LIST-2, LIST-7).
 * Disabled methods and groups are removed, positions are the operator's, and limits are the narrower of both.
 * This step never adds or widens anything; `own/defined-catalogue.ts` does.
 */

import type { AmountRule } from '@opencashier/contract/api';
import type { CatalogueSettings, MethodSettings, OwnLimits } from '@opencashier/contract/operator';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { roundDecimal } from '@opencashier/core/money/money';
import type { GroupEntry, MethodEntry } from './catalogue-file.ts';
import { settingOf } from './own-settings.ts';
import { byPosition } from './shipped-catalogue.ts';

/** The groups and methods of a catalogue, by position. */
export interface Offer {
  readonly groups: readonly GroupEntry[];
  readonly methods: readonly MethodEntry[];
}

/** Ignores settings for removed names, and for currencies that a method no longer accepts. */
export function effectiveCatalogue(shipped: Offer, settings: CatalogueSettings): Offer {
  const groups = shipped.groups
    .filter(({ name }) => settingOf(settings.groups, name)?.enabled !== false)
    .map((group) => positioned(group, settingOf(settings.groups, group.name)?.position));
  const names = new Set(groups.map(({ name }) => name));
  const methods = shipped.methods
    .filter(({ name, group }) => names.has(group) && settingOf(settings.methods, name)?.enabled !== false)
    .flatMap((entry) => narrowedMethod(entry, settingOf(settings.methods, entry.name)) ?? []);
  // Sorting is stable: equal positions keep the shipped order.
  return { groups: groups.sort(byPosition), methods: methods.sort(byPosition) };
}

function positioned<Item extends { readonly position: number }>(item: Item, position: number | undefined): Item {
  return position === undefined ? item : { ...item, position };
}

/** Undefined when no amount in any currency is left. */
function narrowedMethod(entry: MethodEntry, own: MethodSettings | undefined): MethodEntry | undefined {
  const placed = positioned(entry, own?.position);
  if (own?.limits === undefined) return placed;
  const { limits } = own;
  const rules = Object.entries(entry.amount_rules).flatMap(([currency, rule]) => {
    const narrowed = narrowedRule(currency, rule, settingOf(limits, currency));
    return narrowed === undefined ? [] : [[currency, narrowed] as const];
  });
  if (rules.length === 0) return undefined;
  const amount_rules = Object.fromEntries(rules);
  const suggested = Object.entries(entry.suggested).map(([currency, amounts]) => {
    const rule = settingOf(amount_rules, currency);
    return [currency, rule === undefined ? amounts : fittingAmounts(currency, rule, amounts)] as const;
  });
  return { ...placed, amount_rules, suggested: Object.fromEntries(suggested) };
}

/** The narrower limits of both. Undefined when no amount is left between them. */
export function narrowedRule(currency: string, rule: AmountRule, own: OwnLimits | undefined): AmountRule | undefined {
  if (own === undefined) return rule;
  const { minNonRus } = rule;
  const narrowed = {
    ...rule,
    min: higher(currency, rule.min, own.min),
    max: lower(currency, rule.max, own.max),
    ...(minNonRus !== undefined && { minNonRus: higher(currency, minNonRus, own.min) }),
  };
  const [min, max] = [minorOf(narrowed.min, currency, 'up'), minorOf(narrowed.max, currency, 'down')];
  return max > 0n && min > max ? undefined : narrowed;
}

function higher(currency: string, shipped: string, own: string | undefined): string {
  return own !== undefined && minorOf(own, currency, 'up') > minorOf(shipped, currency, 'up') ? own : shipped;
}

/** A shipped maximum of zero means no maximum. */
function lower(currency: string, shipped: string, own: string | undefined): string {
  const [most, wanted] = [minorOf(shipped, currency, 'down'), minorOf(own ?? '0', currency, 'down')];
  return own !== undefined && wanted > 0n && (most === 0n || wanted < most) ? own : shipped;
}

/** Chips and the prefilled amount must be payable amounts (AMT-5, AMT-6). */
function fittingAmounts(currency: string, rule: AmountRule, amounts: MethodEntry['suggested'][string]) {
  const { prefilled, recommended, fixed } = amounts;
  const isFitting = (amount: string): boolean => isWithin(currency, rule, amount);
  const kept = { recommended: recommended?.filter(isFitting) ?? [], fixed: fixed?.filter(isFitting) ?? [] };
  return {
    ...(prefilled !== undefined && isFitting(prefilled) && { prefilled }),
    ...(kept.recommended.length > 0 && { recommended: kept.recommended }),
    ...(kept.fixed.length > 0 && { fixed: kept.fixed }),
  };
}

function isWithin(currency: string, { min, max }: AmountRule, amount: string): boolean {
  const [minor, most] = [minorOf(amount, currency, 'down'), minorOf(max, currency, 'down')];
  return minor >= minorOf(min, currency, 'up') && (most === 0n || minor <= most);
}

/** Minor units of an amount. An unreadable amount is zero, which means no limit. */
export function minorOf(amount: string, currency: string, rounding: 'up' | 'down'): bigint {
  if (findCurrency(currency) === undefined) return 0n;
  const parsed = roundDecimal(amount, decimalsOf(currency), rounding);
  return parsed.ok ? parsed.minor : 0n;
}
