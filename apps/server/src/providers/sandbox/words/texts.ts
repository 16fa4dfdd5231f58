/** What the sandbox company says to the payer, in the languages of the cashier (UI-1). One JSON file holds one language. */
import { textLocaleOf } from '@opencashier/core/locale/text-locale';
import { byLanguage } from '../../../languages/words.ts';
import en from './en.json' with { type: 'json' };

export type SandboxText = keyof typeof en;

/** Every text. */
export const english: Readonly<Record<SandboxText, string>> = en;

/** Texts by language tag. The file of a variant, such as `es-MX`, holds only the texts that differ from its language's. */
const textFiles = byLanguage(
  import.meta.glob<Readonly<Partial<Record<SandboxText, string>>>>('./*.json', { import: 'default', eager: true }),
);

export interface SandboxTexts {
  /** The language tag of the texts. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** A text with its placeholders filled: `{amount}` becomes `values.amount`. */
  readonly say: (text: SandboxText, values?: Readonly<Record<string, string>>) => string;
}

const rightToLeft: ReadonlySet<string> = new Set(['ar', 'ur']);

/** The texts of a language tag. A language without a file gets the English texts. */
export function textsOf(asked = ''): SandboxTexts {
  const known = knownTexts.get(asked);
  if (known !== undefined) return known;
  const texts = readTexts(asked);
  if (knownTexts.size >= MOST_KNOWN) knownTexts.clear();
  knownTexts.set(asked, texts);
  return texts;
}

/** By the tag that was asked for. Strangers choose the tag, so the number is limited. */
const knownTexts = new Map<string, SandboxTexts>();
const MOST_KNOWN = 500;

function readTexts(asked: string): SandboxTexts {
  const language = tagOf(asked) ?? 'en';
  const [base = ''] = language.split('-');
  // A variant in another script has every text of its own, because its readers cannot read the other one.
  const chain = [textFiles[language], textFiles[base], english];
  return {
    language,
    direction: rightToLeft.has(base) ? 'rtl' : 'ltr',
    say(text, values = {}) {
      const found = chain.find((file) => file?.[text] !== undefined)?.[text] ?? english[text];
      return found.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
    },
  };
}

function tagOf(asked: string): string | undefined {
  const wanted = textLocaleOf(asked);
  return [wanted, wanted.split('-')[0] ?? ''].find((tag) => tag in textFiles);
}
