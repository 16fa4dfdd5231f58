/** The server's texts for people: methods, groups, options of fields, bonuses, and pages between cashier and provider. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isName } from './names.mjs';

/** @typedef {{ english: string, own: readonly string[] }} ServerText `own`: the languages that stand beside the English */

/**
 * @param {string} source the server's sources
 * @returns {ServerText[]}
 */
export function serverTexts(source) {
  const data = join(source, 'catalogue/data');
  const methods = readdirSync(join(data, 'methods'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => read(join(data, 'methods', name)));
  const bonuses = read(join(source, 'bonuses/data/bonuses.json')).flatMap(({ content }) => Object.values(content));
  const pages = ['pages/page-texts.en.json', 'providers/stripe/texts.en.json'].flatMap((file) =>
    Object.values(read(join(source, file))),
  );
  return [
    ...read(join(data, 'groups.json')).map(({ label }) => textOf(label)),
    ...read(join(data, 'tiles.json')).map(({ text }) => textOf(text)),
    ...methods.flatMap(({ text, description, fields, preparationFields }) => [
      textOf(text),
      ...(description === undefined ? [] : [textOf(description)]),
      ...[...fields, ...(preparationFields ?? [])].flatMap(itemsOf).map((english) => ({ english, own: [] })),
    ]),
    ...[...bonuses, ...pages].map((english) => ({ english, own: [] })),
  ];
}

/**
 * The keys that a language's file of words must have: texts as they are, or the pattern that makes them.
 *
 * @param {readonly ServerText[]} texts
 * @param {Iterable<Record<string, string>>} files of all languages: what one has as a text of its own, all must have so
 * @param {string} language
 * @returns {string[]}
 */
export function wantedWords(texts, files, language) {
  const known = new Set([...files].flatMap((file) => Object.keys(file)));
  const patterns = [...known].filter((key) => key.includes('{0}')).sort((a, b) => b.length - a.length);
  const keys = texts
    .filter(({ english, own }) => !own.includes(language) && !isName(english))
    .map(({ english }) => (known.has(english) ? english : (patterns.find((key) => makes(key, english)) ?? english)));
  return [...new Set(keys)];
}

function makes(pattern, text) {
  const [before, after] = pattern.split('{0}');
  return text.length > before.length + after.length && text.startsWith(before) && text.endsWith(after);
}

function textOf({ en, ...others }) {
  return { english: en, own: Object.keys(others) };
}

/** Banks are named, not translated. */
function itemsOf({ name, values, props }) {
  return name === 'bank' ? [] : [...(values ?? []), ...(props?.items ?? [])].map(({ text }) => text);
}

function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
