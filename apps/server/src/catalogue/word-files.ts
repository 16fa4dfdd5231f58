/** The catalogue’s words in every language that needs some: its own texts are English, and of methods and groups Arabic. */
import { byLanguage } from '../languages/by-language.ts';
import type { WordFiles } from '../languages/words.ts';

export const wordFiles: WordFiles = byLanguage(
  import.meta.glob<WordFiles[string]>('./data/words/*.json', { import: 'default', eager: true }),
);
