/**
 * Collects the English texts, and checks all languages. English is written beside the screens that use it (`messages.en.json`).
 * This script collects it in `locales/en.json`. Every other language is a complete file. A variant (`es-MX`, `es-ES`, `hi-IN`)
 * holds only the texts that differ from its language (`es`, `hi`). The build merges the two.
 *
 * - `node scripts/locales.mjs` writes locales/en.json and checks all languages.
 * - `node scripts/locales.mjs --check` writes nothing, and fails when locales/en.json is stale.
 * - `node scripts/locales.mjs --check de fr` reports only these languages.
 * - `node scripts/locales.mjs --gather` writes locales/en.json and only warns of missing translations. Builds use it.
 *
 * The check also covers the server's texts: methods, groups, pages, and the steps of the sandbox provider.
 *
 * The first two also keep the states of translations (`locales/state`). A translation whose English has changed is reported. It is a
 * failure if money depends on the text.
 *
 * The first three commands fail when a text is no ICU message, and when a file lacks a text or a plural form. They also fail on a
 * lost placeholder, number or tag, and on English text. `docs/glossaries` lists the words that two languages share. Wrong
 * letters, quotation marks, spaces or digits fail, too (`locales/check-*.mjs`).
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { baseOf } from '@opencashier/messages/variants';
import { checkSyntax } from './locales/check-keys.mjs';
import { checkLanguage } from './locales/check-language.mjs';
import { sharedWords } from './locales/check-writing.mjs';
import { languages } from './locales/languages.mjs';
import { nameProblems, serverTexts, wantedWords } from './locales/server-texts.mjs';
import { readSources } from './locales/sources.mjs';
import { updateStates } from './locales/state-files.mjs';

/** If on, a language of the specification without a file is a failure (UI-1). */
const wantsEveryLanguage = true;

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const locales = join(root, 'locales');
const source = join(root, 'apps/widget/src');
const server = join(root, 'apps/server/src');

const problems = [];
const english = gatherEnglish();
const stored = join(locales, 'en.json');
const text = `${JSON.stringify(english, null, 2)}\n`;
const stale = !existsSync(stored) || readFileSync(stored, 'utf8') !== text;

if (process.argv.includes('--check')) {
  if (stale) problems.push('locales/en.json is stale: run node scripts/locales.mjs.');
} else if (stale) {
  mkdirSync(locales, { recursive: true });
  writeFileSync(stored, text);
}

const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const sources = readSources(root);
const [{ files: dictionaries }, wordsOfServer, wordsOfSandbox] = sources;
for (const [locale, texts] of dictionaries) {
  const base = baseOf(locale);
  if (!languages.includes(locale)) problems.push(`locales/${locale}.json is none of scripts/locales/languages.mjs.`);
  else if (base !== undefined && !dictionaries.has(base)) problems.push(`locales/${locale}.json needs ${base}.json.`);
  else if (locale !== 'en') checkFile(locales, locale, texts, english, base && dictionaries.get(base));
}

// The server's texts about methods and groups, and on its pages.
const said = serverTexts(server);
for (const problem of nameProblems(said, wordsOfServer.english)) {
  problems.push(`${relative(root, wordsOfServer.folder)}/en.json: ${problem}`);
}
for (const locale of translated(wordsOfServer)) {
  checkWords(wordsOfServer, locale, wantedWords(said, wordsOfServer.english, locale));
}

// The texts of the sandbox provider for the payer.
for (const locale of translated(wordsOfSandbox)) checkWords(wordsOfSandbox, locale, wordsOfSandbox.english);

if (wantsEveryLanguage) {
  for (const locale of languages) if (!dictionaries.has(locale)) problems.push(`locales/${locale}.json is missing.`);
}

if (!process.argv.includes('--gather') && asked.length === 0) {
  const { problems: found, notes } = updateStates(root, sources, {
    isCheck: process.argv.includes('--check'),
  });
  problems.push(...found);
  if (notes.length > 0)
    console.warn(`languages: ${notes.length} translations are stale, such as:\n${notes.slice(0, 5).join('\n')}`);
}

if (process.argv.includes('--gather')) {
  warn();
} else if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}

/** A text without a translation is shown in English, so a build continues. Only the check fails. */
function warn() {
  if (problems.length === 0) return;
  console.warn(`languages: ${problems.length} problems; the first is: ${problems[0]}`);
  console.warn(
    'languages: English is shown where a translation is missing. `npm run check` fails until all are there.',
  );
}

/** Languages with complete files; a variant has the texts of its language. */
function complete() {
  return [...dictionaries.keys()].filter((locale) => locale !== 'en' && baseOf(locale) === undefined);
}

/** The languages that a source must have, and those that it has. */
function translated({ files }) {
  return [...new Set([...complete(), ...files.keys()])].filter((locale) => locale !== 'en');
}

function checkWords({ folder, files }, locale, originals) {
  const base = baseOf(locale);
  if (files.has(locale)) checkFile(folder, locale, files.get(locale), originals, base && files.get(base));
  else if (asked.length === 0 || asked.includes(locale))
    problems.push(`${relative(root, folder)}/${locale}.json is missing.`);
}

function checkFile(folder, locale, texts, originals, base) {
  if (asked.length > 0 && !asked.includes(locale)) return;
  const path = join(folder, `${locale}.json`);
  const file = relative(root, path);
  for (const key of writtenTwice(readFileSync(path, 'utf8'))) problems.push(`${file}: "${key}" stands there twice.`);
  const glossary = join(root, `docs/glossaries/${baseOf(locale) ?? locale}.md`);
  const shared = sharedWords(existsSync(glossary) ? readFileSync(glossary, 'utf8') : '');
  const found = checkLanguage(locale, texts, originals, { base, words: shared });
  for (const { key, rule, problem } of found) problems.push(`${file}: "${key}" ${problem} [${rule}].`);
  if (found.some(({ rule }) => rule === 'untranslated'))
    problems.push(
      `Where it is the language's own word, name it in ${relative(root, glossary)}: "Same as in English: Bank."`,
    );
}

/** The English texts of all folders, sorted by key. Two folders must not use the same key. */
function gatherEnglish() {
  const all = new Map();
  for (const file of messageFiles(source)) {
    for (const [key, message] of Object.entries(read(file))) {
      const known = all.get(key);
      if (known !== undefined && known.message !== message) {
        problems.push(`"${key}" is written differently in ${known.file} and ${relative(root, file)}.`);
      }
      all.set(key, { message, file: relative(root, file) });
    }
  }
  const keys = [...all.keys()].sort();
  return Object.fromEntries(keys.map((key) => [key, all.get(key).message]));
}

function messageFiles(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return messageFiles(path);
      return entry.name === 'messages.en.json' ? [path] : [];
    })
    .sort();
}

function read(file) {
  const content = JSON.parse(readFileSync(file, 'utf8'));
  for (const [key, value] of Object.entries(content)) {
    if (typeof value !== 'string' || value === '') problems.push(`${relative(root, file)}: "${key}" is not a text.`);
    else
      for (const { problem } of checkSyntax(key, value)) problems.push(`${relative(root, file)}: "${key}" ${problem}.`);
  }
  return content;
}

/** Keys that a file has twice. JSON silently keeps the last of them. */
function writtenTwice(json) {
  const keys = [...json.matchAll(/^\s*"((?:[^"\\]|\\.)*)":/gm)].map(([, key]) => key);
  return keys.filter((key, index) => keys.indexOf(key) !== index);
}
