/** Checks an operator's settings field by field, and returns warnings about valid settings. */
import type { CatalogueSettings, MethodSettings, OwnLimits } from '@opencashier/contract/operator';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { parseDecimal } from '@opencashier/core/money/money';
import type { MethodEntry } from './catalogue-file.ts';
import { effectiveCatalogue, minorOf } from './effective-catalogue.ts';
import { noSettings } from './own-settings.ts';
import type { ShippedCatalogue } from './shipped-catalogue.ts';

/** A wrong setting: the path of the field, and an English message for the operator. */
export interface SettingIssue {
  /** Such as `methods.card.limits.USD.min`. */
  readonly path: string;
  readonly message: string;
}

/** All problems: unknown names, amounts that are not in their currency, limits that do not narrow the shipped limits. */
export function checkSettings(shipped: ShippedCatalogue, settings: CatalogueSettings): SettingIssue[] {
  const methods = new Map(shipped.methods.map(({ entry }) => [entry.name, entry]));
  const groups = new Set(shipped.groups.map(({ name }) => name));
  return [
    ...Object.entries(settings.methods).flatMap(([name, own]) => {
      const entry = methods.get(name);
      const path = `methods.${name}`;
      return entry === undefined ? [{ path, message: 'Method not found.' }] : checkMethod(entry, own, path);
    }),
    ...Object.keys(settings.groups).flatMap((name) =>
      groups.has(name) ? [] : [{ path: `groups.${name}`, message: 'Group not found.' }],
    ),
  ];
}

function checkMethod(entry: MethodEntry, own: MethodSettings, path: string): SettingIssue[] {
  return Object.entries(own.limits ?? {}).flatMap(([currency, limits]) =>
    checkLimits(entry, currency, limits).map(({ path: place, message }) => ({
      path: `${path}.limits.${currency}${place}`,
      message,
    })),
  );
}

function checkLimits(entry: MethodEntry, currency: string, { min, max }: OwnLimits): SettingIssue[] {
  const rule = Object.hasOwn(entry.amount_rules, currency) ? entry.amount_rules[currency] : undefined;
  if (rule === undefined || findCurrency(currency) === undefined) {
    return [{ path: '', message: 'The method accepts no amounts in this currency.' }];
  }
  if (min === undefined && max === undefined) return [{ path: '', message: 'Give min, max, or both.' }];
  const decimals = decimalsOf(currency);
  const issues: SettingIssue[] = [];
  const say = (path: string, message: string): void => {
    issues.push({ path, message });
  };
  const read = (path: string, text: string | undefined): bigint | undefined => {
    if (text === undefined) return undefined;
    const parsed = parseDecimal(text, decimals);
    if (parsed.ok && parsed.minor > 0n) return parsed.minor;
    say(
      path,
      parsed.ok
        ? 'Give an amount above zero.'
        : `Give an amount of ${currency} with at most ${decimals} decimals.`,
    );
    return undefined;
  };
  const [least, most] = [read('.min', min), read('.max', max)];
  const shippedMins = [rule.min, rule.minNonRus ?? rule.min].map((text) => ({
    text,
    minor: minorOf(text, currency, 'up'),
  }));
  const lowest = shippedMins.reduce((a, b) => (b.minor < a.minor ? b : a));
  const highest = shippedMins.reduce((a, b) => (b.minor > a.minor ? b : a));
  const shippedMax = minorOf(rule.max, currency, 'down');
  if (least !== undefined && least < lowest.minor) say('.min', `Must not be below the shipped minimum ${lowest.text}.`);
  if (least !== undefined && shippedMax > 0n && least > shippedMax) {
    say('.min', `Must not be above the shipped maximum ${rule.max}.`);
  }
  if (most !== undefined && shippedMax > 0n && most > shippedMax) {
    say('.max', `Must not be above the shipped maximum ${rule.max}.`);
  }
  if (most !== undefined && most < highest.minor) say('.max', `Must not be below the shipped minimum ${highest.text}.`);
  if (least !== undefined && most !== undefined && least > most) say('.min', 'Must not be above max.');
  return issues;
}

/** Warnings about settings that are valid but may be a mistake. */
export function warningsOf(shipped: ShippedCatalogue, settings: CatalogueSettings): string[] {
  const methods = shipped.methods.flatMap(({ offered }) => offered ?? []);
  const [before, after] = [noSettings, settings].map((some) =>
    effectiveCatalogue({ groups: shipped.groups, methods }, some),
  );
  const empty = (['deposit', 'withdrawal'] as const).filter((direction) => {
    const takes = ({ directions }: MethodEntry) => directions.includes(direction);
    return before?.methods.some(takes) && !after?.methods.some(takes);
  });
  return [
    ...empty.map((direction) => `No ${direction} method is left. Users see an empty list.`),
    ...checkSettings(shipped, settings).map(({ path, message }) => `${path} counts only where it can: ${message}`),
  ];
}
