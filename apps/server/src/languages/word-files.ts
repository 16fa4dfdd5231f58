/** The server's texts in every language: titles of methods and groups, bonuses, and the pages between cashier and provider. */
import { byLanguage, type WordFiles } from './words.ts';

export const wordFiles: WordFiles = byLanguage(
  import.meta.glob<WordFiles[string]>('./words/*.json', { import: 'default', eager: true }),
);
