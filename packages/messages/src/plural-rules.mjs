/**
 * The plural rules of a language, as the widget applies them. A language that this machine lacks (Tajik) has the forms of English.
 * `Intl` alone would answer with the rules of the machine's own language.
 *
 * @param {string} locale
 * @returns {Intl.PluralRules}
 */
export function pluralRulesOf(locale) {
  return new Intl.PluralRules([locale, 'en'], { localeMatcher: 'lookup' });
}
