/** The server's texts in every language except English: methods, groups, bonuses and its own pages. */
import { byLanguage } from './by-language.ts';
import type { WordFiles } from './words.ts';

export const wordFiles: WordFiles = byLanguage(
  import.meta.glob<WordFiles[string]>('./words/*.json', { import: 'default', eager: true }),
);
