/** What the sandbox company says to whoever pays, in the languages of the cashier (UI-1). */
import { english, type SandboxText, wordFiles } from './word-files.ts';

export type { SandboxText };

export interface SandboxTexts {
  /** The tag that is spoken. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** A text with its places filled: `{amount}` by `values.amount`. */
  readonly say: (text: SandboxText, values?: Readonly<Record<string, string>>) => string;
}

/** Those that are written from the right. */
const fromRight: ReadonlySet<string> = new Set(['ar', 'ur']);

/** The texts of a language tag; those of English for what is not spoken here. */
export function textsOf(asked: string | undefined): SandboxTexts {
  const language = tagOf(asked ?? '') ?? 'en';
  const [base = ''] = language.split('-');
  // Hindi in Latin letters has all of its own: its readers cannot read the other one.
  const chain = [wordFiles[language], wordFiles[base], english];
  return {
    language,
    direction: fromRight.has(base) ? 'rtl' : 'ltr',
    say(text, values = {}) {
      const found = chain.find((file) => file?.[text] !== undefined)?.[text] ?? english[text];
      return found.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
    },
  };
}

function tagOf(asked: string): string | undefined {
  const [language = '', second = ''] = asked.split('-');
  const wanted = second.toLowerCase() === 'latn' ? `${language}-Latn-IN` : asked;
  return [wanted, language].flatMap((tag) => Object.keys(wordFiles).filter((one) => isSame(one, tag)))[0];
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
