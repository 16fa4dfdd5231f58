import type { Texts } from '../session/services.tsx';

const rules = new Map<string, Intl.PluralRules>();

/**
 * The text of `key.one`, `key.few`, `key.other` … for a number, by the platform's plural rules (UI-1). A language file
 * carries only the forms that its language has; `other` stands in for the rest.
 */
export function plural(
  texts: Texts,
  key: string,
  count: number,
  others: Readonly<Record<string, string | number>> = {},
): string {
  let rule = rules.get(texts.formatLocale);
  if (!rule) {
    rule = new Intl.PluralRules(texts.formatLocale);
    rules.set(texts.formatLocale, rule);
  }
  const form = `${key}.${rule.select(count)}`;
  const shown = new Intl.NumberFormat(texts.formatLocale).format(count);
  return texts.translate(texts.has(form) ? form : `${key}.other`, { ...others, count: shown });
}
