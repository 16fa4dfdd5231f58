/** The server's texts for users: methods, groups, items of fields, bonuses, pages between cashier and provider, and refusals. */
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
  const bonuses = read(join(source, 'bonuses/data/bonuses.json')).flatMap(({ title, subtitle }) => [
    title.en,
    ...(subtitle === undefined ? [] : [subtitle.en]),
  ]);
  const pages = Object.entries(read(join(source, 'languages/words/en.json')))
    .filter(([name]) => /^(?:deposit|page|user)\./.test(name) || name === 'group.all')
    .map(([, english]) => english);
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
 * The English texts that a language must translate, by their names: whole texts, or the pattern that makes them.
 *
 * @param {readonly ServerText[]} texts
 * @param {Record<string, string>} english `words/en.json`
 * @param {string} language
 * @returns {Record<string, string>}
 */
export function wantedWords(texts, english, language) {
  const wanted = texts.filter((text) => !text.own.includes(language) && !isName(text.english));
  return Object.fromEntries(wanted.map((text) => nameOf(text.english, english)).filter((entry) => entry !== undefined));
}

/**
 * What is wrong with `words/en.json`: texts without a name, names without a use, and two names of one text.
 *
 * @param {readonly ServerText[]} texts
 * @param {Record<string, string>} english
 * @returns {string[]}
 */
export function nameProblems(texts, english) {
  const said = texts
    .filter((text) => !isName(text.english))
    .map((text) => ({ text, entry: nameOf(text.english, english) }));
  const used = new Set(said.flatMap(({ entry }) => entry?.[0] ?? []));
  const values = Object.values(english);
  return [
    ...new Set([
      ...said.filter(({ entry }) => entry === undefined).map(({ text }) => `"${text.english}" has no name.`),
      ...Object.keys(english).flatMap((name) => (used.has(name) ? [] : [`"${name}": no text of the server uses it.`])),
      ...values.flatMap((text, index) => (values.indexOf(text) < index ? [`"${text}" has two names.`] : [])),
    ]),
  ];
}

function nameOf(text, english) {
  const entries = Object.entries(english);
  const patterns = entries.filter(([, one]) => one.includes('{0}')).sort(([, a], [, b]) => b.length - a.length);
  return entries.find(([, one]) => one === text) ?? patterns.find(([, pattern]) => makes(pattern, text));
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
