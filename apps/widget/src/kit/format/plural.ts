import type { Texts } from '../session/services.tsx';

const rules = new Map<string, Intl.PluralRules>();

/**
 * The text of `key.one`, `key.few`, `key.other` … for a number, by the platform's plural rules (UI-1). A language file has only
 * the forms of its language; `other` replaces a missing form.
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
