/** Translations between this project and translators: XLIFF files out and in, and the states of texts. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseOf } from '@opencashier/messages/variants';
import { checkLanguage } from './check-language.mjs';
import { sharedWords } from './check-writing.mjs';
import { languages } from './languages.mjs';
import { readSources } from './sources.mjs';
import { compareStates, entryOfReturned, mark, readEntry, staleKeys, states } from './state.mjs';
import { readStates, writeStates } from './state-files.mjs';
import { readXliff, writeXliff } from './xliff.mjs';

/**
 * Writes an XLIFF file with all texts of a language.
 *
 * @param {string} root the project's folder
 * @param {string} locale
 * @param {string} file
 * @returns {string} what was done
 */
export function exportLanguage(root, locale, file) {
  insistOnLanguage(locale);
  const known = readStates(root, locale);
  const screens = readScreens(root);
  const sections = Object.fromEntries(
    readSources(root).map(({ name, english, files, context }) => {
      const entries = known[name] ?? {};
      const stale = new Set(staleKeys(entries, english));
      const own = { ...files.get(baseOf(locale) ?? ''), ...files.get(locale) };
      const units = Object.entries(english).map(([key, text]) => ({
        key,
        english: text,
        own: own[key],
        state: readEntry(entries[key]).state,
        isStale: stale.has(key),
        description: context[key]?.description ?? '',
        example: context[key]?.example ?? {},
        isCritical: context[key]?.critical === true,
        screen: name === 'sandbox' ? undefined : pictureOf(key, name === 'widget' ? screens : {}),
      }));
      return [name, units];
    }),
  );
  writeFileSync(file, writeXliff(locale, sections));
  return `${file}: ${Object.values(sections).flat().length} texts.`;
}

/**
 * Takes translations and states from an XLIFF file. A text that fails the checks is refused, and the others are taken.
 *
 * @param {string} root the project's folder
 * @param {string} file
 * @returns {{ done: string, refused: string[] }}
 */
export function importFile(root, file) {
  const { locale, units } = readXliff(readFileSync(file, 'utf8'));
  insistOnLanguage(locale);
  const known = readStates(root, locale);
  const words = wordsOf(root, locale);
  const counts = { taken: 0, back: 0, up: 0, down: 0 };
  const refused = [];
  for (const source of readSources(root)) {
    const mine = units.filter((unit) => unit.source === source.name);
    const before = known[source.name] ?? {};
    const next = takeUnits(locale, source, mine, before, words);
    refused.push(...next.refused);
    counts.taken += next.taken;
    counts.back += next.back;
    for (const [key, entry] of Object.entries(next.entries)) {
      if (before[key] === undefined) continue;
      const step = compareStates(readEntry(entry).state, readEntry(before[key]).state);
      if (step !== 0) counts[step > 0 ? 'up' : 'down'] += 1;
    }
    const order = Object.keys(source.english).filter((key) => next.texts[key] !== undefined);
    const ordered = Object.fromEntries(order.map((key) => [key, next.texts[key]]));
    writeFileSync(join(source.folder, `${locale}.json`), `${JSON.stringify(ordered, null, 2)}\n`);
    known[source.name] = next.entries;
  }
  writeStates(root, locale, known);
  const { taken, back, up, down } = counts;
  const base = baseOf(locale);
  const texts = `${taken} texts changed${base === undefined ? '' : `, ${back} now those of ${base}`}`;
  return { done: `${locale}: ${texts}, ${refused.length} refused; states: ${up} up, ${down} down.`, refused };
}

/**
 * The texts and entries of a source with the translations of a file.
 *
 * @param {string} locale
 * @param {import('./sources.mjs').Source} source
 * @param {readonly import('./xliff.mjs').Translated[]} units of this source
 * @param {import('./state.mjs').Entries} before
 * @param {ReturnType<typeof sharedWords>} words
 */
function takeUnits(locale, source, units, before, words) {
  const texts = { ...source.files.get(locale) };
  const base = source.files.get(baseOf(locale) ?? '');
  const entries = { ...before };
  // A variant has no text that its language has, too. So a translator who writes the language's text takes the variant's own away.
  const back = units.filter(({ key, own }) => base?.[key] === own && texts[key] !== undefined);
  for (const { key } of back) {
    delete texts[key];
    delete entries[key];
  }
  const mine = units.filter(({ key, own }) => base?.[key] !== own);
  const proposed = Object.fromEntries(mine.map(({ key, own }) => [key, own]));
  const problems = checkLanguage(locale, { ...texts, ...proposed }, source.english, { base, words });
  const bad = new Map(problems.map(({ key, problem }) => [key.replace(/, \d+$/, ''), problem]));
  const refused = [];
  let taken = 0;
  for (const unit of mine) {
    const { key, own } = unit;
    const problem = bad.get(key) ?? (source.english[key] === undefined ? 'is no text' : undefined);
    if (problem !== undefined) refused.push(`${source.name} "${key}" ${problem}.`);
    else {
      if (texts[key] !== own) taken += 1;
      texts[key] = own;
      entries[key] = entryOfReturned(before[key], unit, source.english[key]);
    }
  }
  return { texts, entries, refused, taken, back: back.length };
}

/**
 * Says that translations are made from the English of now, and who has read them. Without keys all that are not stale are meant. Two
 * sources may have a text of the same key, and both are meant: the answer counts the texts of each source.
 *
 * @param {string} root the project's folder
 * @param {string} locale
 * @param {readonly string[]} keys of any source
 * @param {string | undefined} state absent: each text keeps its state
 * @returns {string} what was done
 * @throws for an unknown language, state or key
 */
export function markTexts(root, locale, keys, state) {
  insistOnLanguage(locale);
  if (state !== undefined && !states.includes(state)) throw new Error(`A state is one of ${states.join(', ')}.`);
  const known = readStates(root, locale);
  const found = new Set();
  const counts = [];
  for (const { name, english } of readSources(root)) {
    const entries = known[name] ?? {};
    const stale = new Set(staleKeys(entries, english));
    const own = Object.keys(entries).filter((key) => (keys.length === 0 ? !stale.has(key) : keys.includes(key)));
    for (const key of own) found.add(key);
    if (own.length > 0) counts.push({ name, count: own.length });
    known[name] = mark(entries, own, state, english);
  }
  const lost = keys.filter((key) => !found.has(key));
  if (lost.length > 0) throw new Error(`${locale} has no text ${lost.join(', ')}.`);
  writeStates(root, locale, known);
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const each = counts.map(({ name, count }) => `${name} ${count}`).join(', ');
  return `${locale}: ${all} texts${each && ` (${each})`}.`;
}

function insistOnLanguage(locale) {
  if (!languages.includes(locale) || locale === 'en') throw new Error(`${locale} is not a language of translations.`);
}

function wordsOf(root, locale) {
  const glossary = join(root, `docs/glossaries/${baseOf(locale) ?? locale}.md`);
  return sharedWords(existsSync(glossary) ? readFileSync(glossary, 'utf8') : '');
}

/** States of the gallery by the keys of the texts that they show: `npm run locales screens` writes the file. */
function readScreens(root) {
  const file = join(root, 'locales/context/screens.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/**
 * The picture for a text. Not every error has a state of its own in the gallery. Its text then stands where a similar text stands.
 *
 * @param {string} key
 * @param {Record<string, string>} screens
 * @returns {string | undefined}
 */
export function pictureOf(key, screens) {
  const plain = key.replace(/^(?:purchase|redemption)\./, '');
  const exact = screens[key] ?? screens[plain];
  if (exact !== undefined) return exact;
  const path = plain.split('.');
  for (let length = path.length - 1; length > 0; length -= 1) {
    const start = `${path.slice(0, length).join('.')}.`;
    const similar = Object.keys(screens).find((other) => other.startsWith(start));
    if (similar !== undefined) return `${screens[similar]}, a similar text`;
  }
  const [, place] = places.find(([start]) => key.startsWith(start)) ?? [];
  return place === undefined ? undefined : `${place}, where it stands or opens`;
}

/** Screens of texts that no state of the gallery shows: what comes later, and what the server says. */
const places = [
  ['captcha.', 'flows/redirect/creating'],
  ['facts.', 'flows/redirect/creating'],
  ['connection.', 'screens/method-list/ready'],
  ['tile.', 'screens/method-list/ready'],
  ['paymentMethods.regex_error.', 'flows/redirect/fields-missing'],
  ['unifiedForm.', 'flows/unified-form/expired'],
  ['group.', 'screens/method-list/ready'],
  ['method.', 'screens/method-list/ready'],
  ['pattern.', 'screens/method-list/ready'],
  ['speed.', 'flows/redirect/fields-missing'],
  ['item.', 'flows/redirect/fields-missing'],
  ['bonus.', 'screens/method-list/bonuses'],
];
