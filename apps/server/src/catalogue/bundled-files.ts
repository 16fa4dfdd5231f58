/** The catalogue that ships with the cashier, as raw JSON. `json-catalogue.ts` checks it at every start. */

import { wordFiles } from '../languages/word-files.ts';
import countries from './data/countries.json' with { type: 'json' };
import groups from './data/groups.json' with { type: 'json' };
import tiles from './data/tiles.json' with { type: 'json' };

/** The contents by file name, not parsed yet. */
export interface CatalogueFiles {
  readonly countries: unknown;
  readonly groups: unknown;
  /** Absent: every method has its own tile. */
  readonly tiles?: unknown;
  readonly methods: Readonly<Record<string, unknown>>;
  /** Translations of the texts, by language. */
  readonly words: unknown;
}

// A new method file is found by its folder and needs no entry here.
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
