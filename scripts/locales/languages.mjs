/** The languages of the product, and how each is written. */

/** The specification, section 9: 32 languages and four variants. Readers of Portugal and Taiwan have two more (HOST-8). */
export const languages = (
  'ar az bn de el en es fil fr hi id it ja kk ko ky mr ms pl pt ro ru sw te tg th tr uk ur uz vi zh ' +
  'hi-Latn-IN hi-IN es-MX es-ES pt-PT zh-Hant'
).split(' ');

/** Languages in which browsers have no names of countries and currencies, as in `core/locale/writes-alike`. */
export const languagesWithoutBrowser = ['az', 'kk', 'ky', 'tg', 'uz'];

/** The quotation marks that a text may use; other pairs belong to another language. */
const quotes = {
  ar: ['“”', '”“', '«»'],
  az: ['“”', '«»', '„“'],
  de: ['„“', '»«'],
  el: ['«»', '“”'],
  es: ['“”', '«»'],
  fr: ['«»', '“”'],
  it: ['“”', '«»'],
  ja: ['「」', '『』'],
  kk: ['«»', '“”'],
  ky: ['«»', '“”'],
  pl: ['„”', '«»'],
  pt: ['“”', '«»'],
  ro: ['„”', '«»'],
  ru: ['«»', '„“'],
  tg: ['«»', '“”'],
  uk: ['«»', '“”', '„“'],
  ur: ['“”', '”“', '«»'],
  uz: ['“”', '«»', '„“'],
  zh: ['“”', '「」'],
  'zh-Hant': ['「」', '『』'],
};

/** Unicode's names of the scripts, by the four-letter codes of Intl. */
const scripts = {
  Arab: ['Arabic'],
  Beng: ['Bengali'],
  Cyrl: ['Cyrillic'],
  Deva: ['Devanagari'],
  Grek: ['Greek'],
  Hans: ['Han'],
  Hant: ['Han'],
  Jpan: ['Han', 'Hiragana', 'Katakana'],
  Kore: ['Hangul'],
  Latn: ['Latin'],
  Telu: ['Telugu'],
  Thai: ['Thai'],
};

/** Letters that are easily typed by mistake and that no word of the language has. */
const strangers = {
  // The Persian and Urdu letters that look like Arabic ones, and the other way round.
  ar: /[\u06a9\u06cc\u06c1\u06be]/u,
  ur: /[\u0643\u064a\u0649\u0647]/u,
  // With a cedilla they are Turkish. Romanian uses a comma below.
  ro: /[şţŞŢ]/u,
  // Traditional characters of the words that a cashier needs most.
  zh: /[帳戶號碼錢銀轉請這個們時間開關連線網絡銷發匯額]/u,
  // Simplified characters of the same words.
  'zh-Hant': /[帐户号码钱银转请这个们时间开关连线网络销发汇额]/u,
};

/**
 * @param {string} locale
 * @returns {{ isLatin: boolean, foreign: RegExp, quotes: readonly string[], stranger: RegExp | undefined }} `foreign`
 *   finds every letter of another script
 */
export function writingOf(locale) {
  const { language, script } = new Intl.Locale(locale).maximize();
  const own = scripts[script ?? ''];
  if (own === undefined) throw new Error(`The script of ${locale} is not described in scripts/locales/languages.mjs.`);
  const classes = own.map((name) => `\\p{Script=${name}}`).join('');
  return {
    isLatin: script === 'Latn',
    // A run of such letters only: Korean sets its particles right behind a Latin word.
    foreign: new RegExp(`(?:(?![${classes}\\p{Script=Common}\\p{Script=Inherited}])\\p{L}\\p{M}*)+`, 'gu'),
    quotes: (script === 'Latn' && language === 'hi' ? undefined : (quotes[locale] ?? quotes[language])) ?? ['“”'],
    stranger: strangers[locale] ?? strangers[language],
  };
}
