/**
 * Reads ICU messages, and compiles them to what the widget interprets (docs/languages.md). Only builds, checks and tests parse. The
 * widget gets a pattern such as `Pay {amount}`, or a choice: `["count", { "one": "{count} coin", "other": "{count} coins" }]`.
 */
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';

/** @typedef {string | readonly [name: string, cases: Readonly<Record<string, Message>>]} Message as `kit/format/message.ts` reads it */
/** @typedef {Readonly<Record<string, Message>>} CompiledTexts */
/** @typedef {{ kind: 'plural' | 'select', name: string, chosen: string }} Case */
/** @typedef {{ cases: readonly Case[], text: string }} Variant one whole sentence of a message, and when it is shown */
/** @typedef {import('@formatjs/icu-messageformat-parser').MessageFormatElement} Element */

/**
 * @param {string} source an ICU message
 * @returns {Element[]}
 * @throws when it does not parse
 */
function parseMessage(source) {
  try {
    // A text may show a tag as it is: nothing in the widget reads markup.
    return parse(source, { ignoreTag: true });
  } catch (error) {
    throw new Error(`is no ICU message: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * @param {string} source an ICU message
 * @returns {Message} a choice that has only the case `other` is a plain pattern, and cases that change nothing are left out
 * @throws when it does not parse, or uses what the widget does not interpret
 */
export function compileMessage(source) {
  return compileElements(parseMessage(source));
}

/**
 * @param {string} locale for the error
 * @param {Readonly<Record<string, string>>} texts
 * @returns {CompiledTexts}
 * @throws for a text that is no message, with its key
 */
export function compileTexts(locale, texts) {
  const compiled = Object.entries(texts).map(([key, source]) => {
    try {
      return [key, compileMessage(source)];
    } catch (error) {
      throw new Error(`locales/${locale}.json: "${key}" ${error instanceof Error ? error.message : error}`);
    }
  });
  return Object.fromEntries(compiled);
}

/**
 * Every sentence that a message can become, in the order of its cases.
 *
 * @param {string} source an ICU message
 * @returns {Variant[]}
 * @throws as `compileMessage`
 */
export function variantsOf(source) {
  return variantsOfElements(parseMessage(source));
}

/**
 * The same message with other patterns.
 *
 * @param {Message} message
 * @param {(pattern: string) => string} change
 * @returns {Message}
 */
export function mapPatterns(message, change) {
  if (typeof message === 'string') return change(message);
  const [name, cases] = message;
  return [name, Object.fromEntries(Object.entries(cases).map(([key, value]) => [key, mapPatterns(value, change)]))];
}

/**
 * @param {Message} message
 * @returns {string} its longest pattern
 */
export function longestPattern(message) {
  if (typeof message === 'string') return message;
  return Object.values(message[1])
    .map(longestPattern)
    .reduce((a, b) => (b.length > a.length ? b : a), '');
}

/** @returns {Variant[]} */
function variantsOfElements(elements) {
  const at = elements.findIndex(isChoice);
  if (at < 0) return [{ cases: [], text: pattern(elements) }];
  return branches(elements, at).flatMap(({ chosen, kind, name, elements: branch }) =>
    variantsOfElements(branch).map(({ cases, text }) => ({ cases: [{ kind, name, chosen }, ...cases], text })),
  );
}

/** @returns {Message} */
function compileElements(elements) {
  const at = elements.findIndex(isChoice);
  if (at < 0) return pattern(elements);
  const all = branches(elements, at).map(({ chosen, name, elements: branch }) => ({
    chosen,
    name,
    message: compileElements(branch),
  }));
  const other = all.find(({ chosen }) => chosen === 'other');
  const same = JSON.stringify(other.message);
  const different = all.filter(({ message }) => JSON.stringify(message) !== same);
  // `=1` that reads as `other` still matters beside `one`: without it, the number 1 would take `one`.
  const hasForm = different.some(({ chosen }) => !isNumber(chosen));
  const cases = all.filter((one) => one === other || different.includes(one) || (hasForm && isNumber(one.chosen)));
  if (cases.length === 1) return other.message;
  return [other.name, Object.fromEntries(cases.map(({ chosen, message }) => [chosen, message]))];
}

/** The whole sentence of each case: what stands around a choice goes into each of its cases. */
function branches(elements, at) {
  const choice = elements[at];
  if (choice.type === TYPE.plural && (choice.offset !== 0 || choice.pluralType !== 'cardinal')) {
    throw new Error(`has an offset or an ordinal for {${choice.value}}, which the widget does not know`);
  }
  if (choice.type === TYPE.plural && Object.values(choice.options).some(({ value }) => hasSignInSelect(value))) {
    throw new Error(`has # in a select inside the plural of {${choice.value}}: write {${choice.value}} there`);
  }
  return Object.entries(choice.options).map(([chosen, { value }]) => ({
    chosen,
    kind: choice.type === TYPE.plural ? 'plural' : 'select',
    name: choice.value,
    elements: [
      ...elements.slice(0, at),
      ...(choice.type === TYPE.plural ? withNumber(value, choice.value) : value),
      ...elements.slice(at + 1),
    ],
  }));
}

/** ICU reads `#` in a select as the sign itself, also inside a plural. Writers mean the number, and would show "# coins". */
function hasSignInSelect(elements) {
  return elements
    .filter(({ type }) => type === TYPE.select)
    .flatMap(({ options }) => Object.values(options))
    .some(
      ({ value }) =>
        value.some((one) => one.type === TYPE.literal && one.value.includes('#')) || hasSignInSelect(value),
    );
}

/** `#` is the number of the plural around it. */
function withNumber(elements, name) {
  return elements.map((element) => (element.type === TYPE.pound ? { type: TYPE.argument, value: name } : element));
}

/** A case for one number, such as `=1`. */
const isNumber = (chosen) => chosen.startsWith('=');

function isChoice({ type }) {
  return type === TYPE.plural || type === TYPE.select;
}

/** @returns {string} */
function pattern(elements) {
  const written = elements.map((element) => {
    if (element.type === TYPE.literal) return element.value;
    if (element.type === TYPE.argument) return `{${element.value}}`;
    throw new Error(`formats {${element.value}} in the message, which the widget does not know`);
  });
  const text = written.join('');
  const filled = elements.filter(({ type }) => type === TYPE.argument).length;
  if ((text.match(/\{\w+\}/g) ?? []).length !== filled)
    throw new Error(`shows a name in braces, which the widget would fill in: "${text}"`);
  return text;
}
