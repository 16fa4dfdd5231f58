/** Checks that a language's file matches English: keys, cases, placeholders, markup, numbers. */
import { variantsOf } from '@opencashier/messages/icu';
import { placeholderProblems } from '@opencashier/messages/placeholders';
import { pluralRulesOf } from '@opencashier/messages/plural-rules';
import { baseOf } from '@opencashier/messages/variants';

/** @typedef {{ rule: string, key: string, problem: string }} Finding */
/** @typedef {Record<string, string>} Dictionary */
/** @typedef {import('@opencashier/messages/icu').Variant} Variant */

/**
 * @param {string} locale
 * @param {Dictionary} texts the file's own texts; a variant has only the different texts
 * @param {Dictionary} english
 * @param {Dictionary | undefined} shared the texts of the language that a variant starts from
 * @returns {Finding[]}
 */
export function checkKeys(locale, texts, english, shared) {
  const found = [];
  for (const [key, value] of Object.entries(texts)) {
    if (!Object.hasOwn(english, key)) found.push({ rule: 'extra', key, problem: 'no screen uses it' });
    else if (typeof value !== 'string' || value === '') found.push({ rule: 'empty', key, problem: 'is not a text' });
    else if (shared?.[key] === value) {
      found.push({ rule: 'same as the language', key, problem: `${baseOf(locale)}.json has it already` });
    } else found.push(...checkSyntax(key, value));
  }
  if (baseOf(locale) !== undefined) return found;
  const missing = Object.keys(english).filter((key) => !Object.hasOwn(texts, key));
  return [...found, ...missing.map((key) => ({ rule: 'missing', key, problem: 'is missing' }))];
}

/**
 * @param {string} key
 * @param {string} value
 * @returns {Finding[]} none for an ICU message that the widget can interpret
 */
export function checkSyntax(key, value) {
  try {
    variantsOf(value);
    return [];
  } catch (error) {
    return [{ rule: 'syntax', key, problem: error instanceof Error ? error.message : `${error}` }];
  }
}

/**
 * The cases of a message: each plural has the forms of the language and no other, each select the cases of English.
 *
 * @param {string} locale
 * @param {string} key
 * @param {readonly Variant[]} own
 * @param {readonly Variant[]} english
 * @returns {Finding[]}
 */
export function checkCases(locale, key, own, english) {
  const forms = pluralRulesOf(locale).resolvedOptions().pluralCategories;
  const [ours, theirs] = [casesOf(own), casesOf(english)];
  const found = [];
  for (const [id, { kind, name, values }] of ours) {
    const wanted = kind === 'plural' ? forms : [...(theirs.get(id)?.values ?? [])];
    const rule = kind === 'plural' ? 'plural form' : 'select';
    const lost = wanted.filter((value) => !values.has(value));
    // A plural may also name a number: `=0`.
    const strange = [...values].filter((value) => !wanted.includes(value) && !value.startsWith('='));
    if (lost.length > 0) found.push({ rule, key, problem: `lacks ${lost.join(', ')} of {${name}}` });
    if (strange.length > 0)
      found.push({ rule, key, problem: `has ${strange.join(', ')} of {${name}}, which nothing uses` });
  }
  for (const [id, { kind, name }] of theirs) {
    // A language with one form alone needs no plural.
    if (ours.has(id) || (kind === 'plural' && forms.length === 1)) continue;
    found.push({ rule: kind === 'plural' ? 'plural form' : 'select', key, problem: `has no cases for {${name}}` });
  }
  return found;
}

/**
 * @param {string} locale
 * @param {string} key
 * @param {Variant} variant
 * @param {string} original
 * @returns {Finding[]}
 */
export function checkContents(locale, key, { cases, text: value }, original) {
  const found = [];
  const report = (rule, problem) => found.push({ rule, key, problem });

  for (const problem of placeholderProblems(locale, { cases, text: value }, original)) report('placeholder', problem);

  const [tags, originalTags] = [tagsOf(value), tagsOf(original)];
  if (tags !== originalTags) report('markup', `has the markup "${tags}" where English has "${originalTags}"`);

  const numbers = numbersOf(value);
  for (const number of numbersOf(original))
    if (!numbers.includes(number)) report('number', `lost the number ${number}`);
  return found;
}

/** The cases that a message names, by kind and name. */
function casesOf(variants) {
  const found = new Map();
  for (const { kind, name, chosen } of variants.flatMap(({ cases }) => cases)) {
    const id = `${kind} ${name}`;
    if (!found.has(id)) found.set(id, { kind, name, values: new Set() });
    found.get(id).values.add(chosen);
  }
  return found;
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
