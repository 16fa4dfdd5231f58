/** Checks that a language's file matches English: keys, plural forms, placeholders, markup, numbers. */
import { baseOf } from './dictionaries.mjs';

const pluralForm = /\.(?:zero|one|two|few|many|other)$/;

/** @typedef {{ rule: string, key: string, problem: string }} Finding */
/** @typedef {Record<string, string>} Dictionary */

/**
 * @param {string} locale
 * @param {Dictionary} texts the file's own texts; a variant has only the different texts
 * @param {Dictionary} english
 * @param {Dictionary | undefined} shared the texts of the language that a variant starts from
 * @returns {Finding[]}
 */
export function checkKeys(locale, texts, english, shared) {
  const wanted = wantedKeys(locale, english);
  const found = [];
  for (const [key, value] of Object.entries(texts)) {
    if (!wanted.has(key)) found.push({ rule: 'extra', key, problem: 'no screen uses it' });
    else if (typeof value !== 'string' || value === '') found.push({ rule: 'empty', key, problem: 'is not a text' });
    else if (shared?.[key] === value) {
      found.push({ rule: 'same as the language', key, problem: `${baseOf(locale)}.json has it already` });
    }
  }
  if (baseOf(locale) !== undefined) return found;
  for (const key of wanted) {
    if (Object.hasOwn(texts, key)) continue;
    const isForm = isPlural(key, english);
    found.push({
      rule: isForm ? 'plural form' : 'missing',
      key,
      problem: isForm ? 'is a plural form that the language has' : 'is missing',
    });
  }
  return found;
}

/**
 * The English text of a key. For a plural form that English lacks it is the `.other` form.
 *
 * @param {string} key
 * @param {Dictionary} english
 */
export function originalOf(key, english) {
  return english[key] ?? english[key.replace(pluralForm, '.other')];
}

/**
 * @param {string} locale
 * @param {string} key
 * @param {string} value
 * @param {string} original
 * @returns {Finding[]}
 */
export function checkContents(locale, key, value, original) {
  const found = [];
  const report = (rule, problem) => found.push({ rule, key, problem });

  const [own, theirs] = [placeholders(value), placeholders(original)];
  // "One coin" may leave the number out. So may every form that means only one number; in Russian, 21 is a "one".
  const isOneNumber = pluralForm.test(key) && meansOneNumber(locale, key.slice(key.lastIndexOf('.') + 1));
  for (const name of theirs)
    if (!own.includes(name) && !(isOneNumber && name === '{count}')) report('placeholder', `lost ${name}`);
  for (const name of own) if (!theirs.includes(name)) report('placeholder', `has ${name}, which nothing fills in`);
  if (/[{}]/.test(value.replace(/\{\w+\}/g, ''))) report('placeholder', 'has a brace without its partner');

  const [tags, originalTags] = [tagsOf(value), tagsOf(original)];
  if (tags !== originalTags) report('markup', `has the markup "${tags}" where English has "${originalTags}"`);

  const numbers = numbersOf(value);
  for (const number of numbersOf(original))
    if (!numbers.includes(number)) report('number', `lost the number ${number}`);
  return found;
}

/** A key with plural forms has `.one` and `.other`, as English needs. A single `list.other` is an ordinary text. */
function isPlural(key, english) {
  return (
    pluralForm.test(key) && ['.one', '.other'].every((form) => Object.hasOwn(english, key.replace(pluralForm, form)))
  );
}

function wantedKeys(locale, english) {
  const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
  const wanted = new Set();
  for (const key of Object.keys(english)) {
    if (!isPlural(key, english)) wanted.add(key);
    else for (const form of forms) wanted.add(key.replace(pluralForm, `.${form}`));
  }
  return wanted;
}

function meansOneNumber(locale, form) {
  const rules = new Intl.PluralRules(locale);
  return Array.from({ length: 200 }, (_, count) => count).filter((count) => rules.select(count) === form).length === 1;
}

function placeholders(text) {
  return [...new Set(text.match(/\{\w+\}/g) ?? [])];
}

function tagsOf(text) {
  return (text.match(/<[^>]*>|&\w+;/g) ?? []).sort().join(' ');
}

/** The numbers of a text, in ASCII digits and without group separators. */
function numbersOf(text) {
  const ascii = text.replace(/\p{Nd}/gu, (digit) => String(digitValue(digit)));
  return (ascii.match(/\d+(?:[.,\s'’٬]\d{3})*/gu) ?? []).map((number) => number.replace(/\D/g, ''));
}

/** In Unicode, decimal digits come in runs of ten that begin with zero. */
function digitValue(digit) {
  let code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - 1)) && value < 9) {
    code -= 1;
    value += 1;
  }
  return value;
}
