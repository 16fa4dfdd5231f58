/**
 * What is known of each translation: the English it was made from, and who has read it (docs/languages.md). The files
 * `locales/state/<tag>.json` hold one entry for a text: the hash of the English, the hash of the translation, and its state.
 */
import { createHash } from 'node:crypto';

/** `draft`: written by one. `read`: read by a second, independent reader. `native`: approved by a native payments writer. */
export const states = ['draft', 'read', 'native'];

/** @typedef {'draft' | 'read' | 'native'} State */
/** @typedef {Record<string, string>} Entries by key: `3f9a1c07 88d0e1b2 draft` */

/** @param {string} text */
export const hashOf = (text) => createHash('sha256').update(text).digest('hex').slice(0, 8);

/**
 * @param {string} english
 * @param {string} own
 * @param {State} state
 */
export const entryOf = (english, own, state) => `${hashOf(english)} ${hashOf(own)} ${state}`;

/** @param {string | undefined} entry */
export function readEntry(entry) {
  const [english = '', own = '', state = 'draft'] = (entry ?? '').split(' ');
  return { english, own, state };
}

/**
 * The entries after texts have changed. A changed translation is a draft made from the English of now. One that has not changed
 * keeps its entry, also when its English has changed: it is then stale.
 *
 * @param {Entries} entries
 * @param {Record<string, string>} own
 * @param {Record<string, string>} english
 * @returns {Entries}
 */
export function advance(entries, own, english) {
  const kept = Object.entries(own).filter(([key]) => Object.hasOwn(english, key));
  return Object.fromEntries(
    kept.map(([key, text]) => {
      const known = entries[key];
      const isSame = known !== undefined && readEntry(known).own === hashOf(text);
      return [key, isSame ? known : entryOf(english[key], text, 'draft')];
    }),
  );
}

/**
 * The entry of a text that comes back from a translator.
 *
 * @param {string | undefined} known its entry before
 * @param {{ english: string, own: string, state: State | undefined, isStale: boolean }} unit what the translator saw and wrote.
 *   `state`: undefined if the file says nothing that we know; `isStale`: the file says that the text needs work
 * @param {string} english the English of now
 * @returns {string}
 */
export function entryOfReturned(known, { english: seen, own, state, isStale }, english) {
  const before = readEntry(known);
  const now = hashOf(english);
  const isOfNow = hashOf(seen) === now;
  const isSame = known !== undefined && before.own === hashOf(own);
  if (isStale && isSame) return isOfNow && before.english === now ? entryOf(seen, own, 'draft') : known;
  // With the English of now, a text that still needs work would no longer count as stale.
  if (isStale) return `${isOfNow ? before.english || now : hashOf(seen)} ${hashOf(own)} draft`;
  if (!isSame) return entryOf(seen, own, state ?? 'draft');
  // Many programs drop states or write the same one everywhere. So nothing is taken from a text that they did not change.
  if (before.english === hashOf(seen)) return entryOf(seen, own, higher(before.state, state ?? 'draft'));
  return isOfNow && state !== undefined ? entryOf(seen, own, state) : known;
}

/** @returns {State} */
const higher = (a, b) => (compareStates(a, b) < 0 ? b : a);

/**
 * @param {State} a
 * @param {State} b
 * @returns {number} below zero if `b` is the higher state
 */
export const compareStates = (a, b) => states.indexOf(a) - states.indexOf(b);

/**
 * Keys whose English has changed after they were translated.
 *
 * @param {Entries} entries
 * @param {Record<string, string>} english
 * @returns {string[]}
 */
export function staleKeys(entries, english) {
  return Object.keys(entries).filter(
    (key) => Object.hasOwn(english, key) && readEntry(entries[key]).english !== hashOf(english[key]),
  );
}

/**
 * The entries with another state for some keys. The texts then count as made from the English of now.
 *
 * @param {Entries} entries
 * @param {readonly string[]} keys
 * @param {State | undefined} state absent: each text keeps its state
 * @param {Record<string, string>} english
 * @returns {Entries}
 * @throws for a key without a translation
 */
export function mark(entries, keys, state, english) {
  const next = { ...entries };
  for (const key of keys) {
    if (entries[key] === undefined) throw new Error(`"${key}" has no translation.`);
    const { own, state: before } = readEntry(entries[key]);
    next[key] = `${hashOf(english[key] ?? '')} ${own} ${state ?? before}`;
  }
  return next;
}

/**
 * @param {readonly Entries[]} sections the entries of all sources of a language
 * @param {readonly Record<string, string>[]} englishes in the same order
 * @returns {{ draft: number, read: number, native: number, stale: number, all: number }}
 */
export function countStates(sections, englishes) {
  const counts = { draft: 0, read: 0, native: 0, stale: 0, all: 0 };
  for (const [at, entries] of sections.entries()) {
    const stale = new Set(staleKeys(entries, englishes[at]));
    for (const key of Object.keys(entries)) {
      counts[stale.has(key) ? 'stale' : readEntry(entries[key]).state] += 1;
      counts.all += 1;
    }
  }
  return counts;
}
