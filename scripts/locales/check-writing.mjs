/** Checks the writing of a language's texts: they are translated, in the right letters, with the right punctuation. */
import { writingOf } from './languages.mjs';
import { englishWords, homographs, names, nameTexts } from './names.mjs';

/** Invisible characters: direction marks and embeddings, spaces without width, a soft hyphen, a byte order mark. */
const invisible = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;
/** Greek writes its question mark as a semicolon. */
const sentenceEnd = /[.!?;…。！？।۔؟][”’»」』“]?$/u;

/**
 * @param {string} locale
 * @param {string} key
 * @param {string} value
 * @param {string} original the English of the key
 * @param {ReadonlySet<string>} shared words and labels that the language has in common with English
 * @returns {import('./check-keys.mjs').Finding[]}
 */
export function checkWriting(locale, key, value, original, shared) {
  const writing = writingOf(locale);
  const found = [];
  const report = (rule, problem) => found.push({ rule, key, problem });

  if (value !== value.trim()) report('space', 'begins or ends with a space');
  if (/\s{2}|[\n\t\r]/u.test(value)) report('space', 'has two spaces or a line break');
  if (value !== value.normalize('NFC')) report('normal form', 'is not in Unicode’s form NFC');
  const hidden = invisible.exec(value);
  if (hidden) report('invisible', `has the invisible U+${hidden[0].codePointAt(0)?.toString(16).padStart(4, '0')}`);

  if (/\.\.\./.test(value)) report('ellipsis', 'has three dots for an ellipsis (…)');
  if (original.endsWith('…') && !value.endsWith('…')) report('ellipsis', 'lost its ellipsis (…)');
  const quotes = quotesProblem(value, writing.quotes);
  if (quotes !== undefined) report('quotation', quotes);
  // Thai has no mark at the end of a sentence.
  if (sentenceEnd.test(original) && !sentenceEnd.test(value) && locale !== 'th')
    report('sentence end', 'English ends its sentence');
  if (locale === 'fr' && / [?!:;»]|« /.test(value)) report('space', 'may break its line at a French sign');

  const letters = letterProblem(value, writing);
  if (letters !== undefined) report('script', letters);
  const untranslated = englishProblem(locale, value, original, shared);
  if (untranslated !== undefined) report('untranslated', untranslated);
  return found;
}

/** @returns {string | undefined} */
function quotesProblem(value, allowed) {
  if (/["'`´]/.test(value)) return 'has a sign of the typewriter (" or \') for a quotation mark or an apostrophe';
  const signs = value.match(/[“”„«»「」『』‟‚‹›]/gu) ?? [];
  const pairs = Array.from({ length: Math.ceil(signs.length / 2) }, (_, index) =>
    signs.slice(2 * index, 2 * index + 2),
  );
  const wrong = pairs.map((pair) => pair.join('')).find((pair) => !allowed.includes(pair));
  return wrong && `quotes with ${wrong}; the language quotes with ${allowed.join(' or ')}`;
}

/** @returns {string | undefined} */
function letterProblem(value, { foreign, stranger }) {
  const text = withoutCode(value);
  const words = (text.match(foreign) ?? []).filter((word) => !names.has(word));
  if (words.length > 0) return `has "${words[0]}" in letters of another script`;
  const strange = stranger?.exec(text);
  return strange ? `has ${strange[0]}, a letter of another language` : undefined;
}

/** @returns {string | undefined} */
function englishProblem(locale, value, original, shared) {
  if (nameTexts.has(original) || shared.has(wordsOf(value).join(' '))) return undefined;
  const [own, theirs] = [value, original].map((text) => wordsOf(text).filter((word) => !shared.has(word)));
  if (own.length > 0 && own.join(' ') === theirs.join(' ')) return `is English: "${value}"`;
  const telling = own.find((word) => englishWords.has(word) && !homographs[locale]?.includes(word));
  if (telling !== undefined) return `has the English word "${telling}"`;
  const english = ` ${theirs.join(' ')} `;
  const left = own.findIndex(
    (_, index) => index + 3 <= own.length && english.includes(` ${own.slice(index, index + 3).join(' ')} `),
  );
  return left < 0 ? undefined : `has the English "${own.slice(left, left + 3).join(' ')}"`;
}

/**
 * The entries of a glossary's line "Same as in English: Bank, Code, Date of birth.". The language writes them as English does.
 * A word is allowed everywhere. An entry of several words is a label: it is allowed as a whole text, and its words alone are not.
 *
 * @param {string} glossary
 * @returns {Set<string>}
 */
export function sharedWords(glossary) {
  const lines = [...glossary.matchAll(/^Same as in English: (.+)$/gm)];
  const entries = lines.flatMap(([, list]) => (list ?? '').split(','));
  return new Set(entries.map((entry) => wordsOf(entry).join(' ')).filter((words) => words !== ''));
}

/** The text without placeholders, tags, and names of several words or with a digit inside. */
function withoutCode(text) {
  return text.replace(/\{\w+\}|<[^>]*>|copia e cola|Sandbox Pay|P2P/gi, ' ');
}

/** Words of two letters and more, without names, which are the same in every language. */
function wordsOf(text) {
  const words = withoutCode(text).match(/[\p{L}\p{M}][\p{L}\p{M}’-]*/gu) ?? [];
  return words.filter((word) => word.length > 1 && !names.has(word)).map((word) => word.toLowerCase());
}

/**
 * Checks that a file uses one kind of digits.
 *
 * @param {Record<string, string>} texts
 * @returns {import('./check-keys.mjs').Finding[]}
 */
export function checkDigits(texts) {
  const withNative = Object.entries(texts).filter(([, value]) => /(?![0-9])\p{Nd}/u.test(value));
  const withAscii = Object.entries(texts).filter(([, value]) => /(?<![A-Z])[0-9]/.test(value));
  if (withNative.length === 0 || withAscii.length === 0) return [];
  const [key] = (withNative.length < withAscii.length ? withNative : withAscii)[0] ?? [''];
  return [{ rule: 'digits', key, problem: 'has other digits than the rest of the file' }];
}
