/** The catalogue that ships with the cashier, as raw JSON: `json-catalogue.ts` checks it at every start. */

import { wordFiles } from '../languages/word-files.ts';
import countries from './data/countries.json' with { type: 'json' };
import groups from './data/groups.json' with { type: 'json' };
import tiles from './data/tiles.json' with { type: 'json' };

/** Contents by file name, unread. */
export interface CatalogueFiles {
  readonly countries: unknown;
  readonly groups: unknown;
  /** Absent: every method has a tile of its own. */
  readonly tiles?: unknown;
  readonly methods: Readonly<Record<string, unknown>>;
  /** Translations of their texts, by language. */
  readonly words: unknown;
}

// A new file of methods needs no list: it is found by its place.
const methodFiles = import.meta.glob<unknown>('./data/methods/**/*.json', { import: 'default', eager: true });

export const bundledFiles: CatalogueFiles = {
  countries,
  groups,
  tiles,
  words: wordFiles,
  methods: Object.fromEntries(
    Object.entries(methodFiles).map(([path, content]) => [path.replace('./data/', ''), content]),
  ),
};
