/** Finds English on a screen in another language: words of the English files that the language's own files do not have. */
import { join } from 'node:path';
import { baseOf } from '@opencashier/messages/variants';
import { names } from '../../scripts/locales/names.mjs';
import { readSources } from '../../scripts/locales/sources.mjs';

const sources = readSources(join(import.meta.dirname, '../..'));
const wordsOf = (texts: Iterable<string>): Set<string> =>
  new Set(
    [...texts]
      .flatMap((text) => text.replace(/\{\w+/g, ' ').match(/\p{L}{3,}/gu) ?? [])
      .map((word) => word.toLowerCase()),
  );

/** Names on these screens that no language translates: of companies in the sandbox, as its banks write themselves, and of a coin. */
const properNames = ['First Bank of Nigeria', 'Demo merchant', 'Sandbox Pay', 'USD Coin'];
/** Numbers of deposits have letters, too. */
const withoutNames = (text: string): string =>
  properNames.reduce((rest, name) => rest.replaceAll(name, ' '), text).replace(/[\w-]*\d[\w-]*/g, ' ');

const english = wordsOf(sources.flatMap((source) => Object.values(source.english)));
const known = new Set([...names].map((name) => name.toLowerCase()));

/** What looks English in a text of a language. */
export function englishFinder(locale: string): (text: string) => string[] {
  const base = baseOf(locale);
  const regions = new Intl.DisplayNames([locale], { type: 'region' });
  const own = wordsOf([
    // Some countries are called as in English.
    ...['BD', 'NG', 'NZ', 'UZ'].map((code) => regions.of(code) ?? ''),
    ...sources.flatMap(({ files }) => [
      ...Object.values(files.get(locale) ?? {}),
      ...Object.values((base !== undefined && files.get(base)) || {}),
    ]),
  ]);
  return (text) =>
    [...wordsOf([withoutNames(text)])].filter((word) => english.has(word) && !own.has(word) && !known.has(word));
}

/** Runs inside a page: every text that a person sees, or hears from a screen reader. */
export function textsOfPage(): string[] {
  const texts: string[] = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Element) {
      for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'aria-description', 'aria-roledescription']) {
        texts.push(node.getAttribute(name) ?? '');
      }
    } else if (!/^(?:SCRIPT|STYLE|TEMPLATE)$/.test(node.parentElement?.tagName ?? '')) texts.push(node.nodeValue ?? '');
  }
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
}
