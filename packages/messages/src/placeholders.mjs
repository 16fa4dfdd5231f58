/** Compares the placeholders of a message with those of the English one. A lost placeholder may be a lost amount. */
import { pluralRulesOf } from './plural-rules.mjs';

/** @typedef {import('./icu.mjs').Variant} Variant */

/**
 * The English sentence that a sentence of another language says: of a select the same case, of a plural the case `other`.
 *
 * @param {Variant} own
 * @param {readonly Variant[]} english at least one
 * @returns {string}
 */
export function originalOf(own, english) {
  const isSaid = ({ kind, name, chosen }) =>
    kind === 'plural'
      ? chosen === 'other'
      : chosen === (own.cases.find((one) => one.kind === kind && one.name === name)?.chosen ?? 'other');
  return (english.find(({ cases }) => cases.every(isSaid)) ?? english.at(-1)).text;
}

/**
 * @param {string} locale
 * @param {Variant} variant
 * @param {string} original the English sentence
 * @returns {string[]} a problem for each placeholder that was lost or that nothing fills in
 */
export function placeholderProblems(locale, { cases, text }, original) {
  const [own, theirs] = [placeholders(text), placeholders(original)];
  // "One coin" may leave the number out. So may every form that means only one number; in Russian, 21 is a "one".
  const oneNumber = cases.filter(({ kind, chosen }) => kind === 'plural' && meansOneNumber(locale, chosen));
  const free = oneNumber.map(({ name }) => `{${name}}`);
  const lost = theirs.filter((name) => !own.includes(name) && !free.includes(name));
  const strange = own.filter((name) => !theirs.includes(name));
  return [...lost.map((name) => `lost ${name}`), ...strange.map((name) => `has ${name}, which nothing fills in`)];
}

function meansOneNumber(locale, form) {
  if (form.startsWith('=')) return true;
  const rules = pluralRulesOf(locale);
  return Array.from({ length: 200 }, (_, count) => count).filter((count) => rules.select(count) === form).length === 1;
}

/**
 * The names of all values that a message uses, also of those that only choose a case.
 *
 * @param {readonly Variant[]} variants
 * @returns {ReadonlySet<string>}
 */
export function valueNames(variants) {
  return new Set(
    variants.flatMap(({ cases, text }) => [
      ...cases.map(({ name }) => name),
      ...placeholders(text).map((placeholder) => placeholder.slice(1, -1)),
    ]),
  );
}

function placeholders(text) {
  return [...new Set(text.match(/\{\w+\}/g) ?? [])];
}
