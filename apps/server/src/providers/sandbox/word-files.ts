/** What the sandbox says, by language: texts by name; a variant holds those that differ from its language’s. */
import { byLanguage } from '../../languages/words.ts';
import en from './words/en.json' with { type: 'json' };

export type SandboxText = keyof typeof en;

export const wordFiles = byLanguage(
  import.meta.glob<Readonly<Partial<Record<SandboxText, string>>>>('./words/*.json', {
    import: 'default',
    eager: true,
  }),
);

/** Every text. */
export const english: Readonly<Record<SandboxText, string>> = en;
