/** The server's texts in every language but English: names of methods and groups, bonuses, and its own pages. */
import { byLanguage, type WordFiles } from './words.ts';

export const wordFiles: WordFiles = byLanguage(
  import.meta.glob<WordFiles[string]>('./words/*.json', { import: 'default', eager: true }),
);
