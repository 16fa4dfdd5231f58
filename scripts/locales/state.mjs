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
