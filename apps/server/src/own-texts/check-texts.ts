/** Checks an operator's own texts. A user must not lose an amount, or see what only looks like a text of the cashier. */
import { compileMessage, variantsOf } from '@opencashier/messages/icu';
import { originalOf, placeholderProblems, valueNames } from '@opencashier/messages/placeholders';
import type { Texts } from './widget-texts.ts';

/** The greatest number of own texts of a language. */
const mostTexts = 200;
/** Keys and texts of a language. */
const mostBytes = 64 * 1024;
/** The length of a text, at least; a text may also be so many times as long as the English one. */
const lengthForAll = 300;
const lengthRatio = 4;
/** Each choice multiplies the sentences of a message. The shipped messages have one at most. */
const mostChoices = 2;
/** How much longer than its source a message may become when its choices are written out. */
const compiledRatio = 8;

/**
 * Control characters, new lines, half characters, marks that turn the direction of the text after them, and characters that show
 * nothing. Four of the last kind count as letters or symbols: the Hangul fillers, the empty braille cell and the null note head.
 */
const hidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{1d159}]/u;
/** Hindi and Persian need the two joiners inside a word. */
const joiner = /(?<=[\p{L}\p{M}])[\u200c\u200d](?=[\p{L}\p{M}])/gu;
/** An emoji may have an invisible selector, and several become one by joiners. */
const emoji = /\p{ExtPict}[\ufe0f\p{EMod}]?(?:\u200d\p{ExtPict}[\ufe0f\p{EMod}]?)*/gu;
const visible = /[\p{L}\p{N}\p{S}]|\{\w+\}/u;

export interface TextIssue {
  /** Such as `texts.empty.hint`. */
  readonly path: string;
  readonly message: string;
}

/** All problems of the own texts of a language. @param locale a language that the widget has */
export function checkTexts(locale: string, own: Texts, english: Texts): TextIssue[] {
  const entries = Object.entries(own);
  const bytes = entries.reduce((sum, [key, text]) => sum + Buffer.byteLength(key) + Buffer.byteLength(text), 0);
  const issues: TextIssue[] = [];
  if (entries.length > mostTexts) {
    issues.push({ path: 'texts', message: `A language can have at most ${mostTexts} own texts.` });
  }
  if (bytes > mostBytes) {
    issues.push({ path: 'texts', message: `The own texts of a language can have at most ${mostBytes} bytes.` });
  }
  if (issues.length > 0) return issues;
  return entries.flatMap(([key, text]) => {
    const message = problemOf(locale, key, text, english);
    return message === undefined ? [] : [{ path: `texts.${key}`, message }];
  });
}

/** What is wrong with an own text; undefined if users can see it. */
export function problemOf(locale: string, key: string, text: string, english: Texts): string | undefined {
  const original = Object.hasOwn(english, key) ? english[key] : undefined;
  if (original === undefined) return 'The widget has no text with this key.';
  return problemOfLetters(text, original) ?? problemOfMessage(locale, text, original);
}

function problemOfLetters(text: string, original: string): string | undefined {
  if (text.trim() === '') return 'The text is empty.';
  const longest = longestFor(original);
  if ([...text].length > longest) return `The text must have at most ${longest} characters.`;
  if (hidden.test(text.replace(emoji, ' ').replace(joiner, ''))) {
    return 'The text must have no new lines, control characters, invisible characters or marks of direction.';
  }
  // The widget shows a tag as it is.
  return /[<>]/.test(text) ? 'The text must not contain < or >. Markup is not interpreted.' : undefined;
}

function longestFor(original: string): number {
  return Math.max(lengthForAll, original.length * lengthRatio);
}

function problemOfMessage(locale: string, text: string, original: string): string | undefined {
  // Counted before anything is written out, so that a hostile message cannot fill the memory.
  const choices = text.match(/,[^\p{L}{}]*(?:plural|select)/gu) ?? [];
  if (choices.length > mostChoices) return `The text must have at most ${mostChoices} choices.`;
  try {
    if (JSON.stringify(compileMessage(text)).length > longestFor(original) * compiledRatio) {
      return 'The choices of the text have too many cases.';
    }
    return problemOfPlaceholders(locale, text, original);
  } catch (error) {
    return `The text ${error instanceof Error ? error.message : error}.`;
  }
}

/** Every placeholder of the English sentence stays in each sentence of the own text, and nothing else is filled in. */
function problemOfPlaceholders(locale: string, text: string, original: string): string | undefined {
  const [own, theirs] = [variantsOf(text), variantsOf(original)];
  if (own.some((variant) => !visible.test(variant.text))) {
    return 'Each case of the text must show a letter, a number, a symbol or a placeholder.';
  }
  const known = valueNames(theirs);
  const strange = own.flatMap(({ cases }) => cases).find(({ name }) => !known.has(name));
  if (strange) return `The text chooses by {${strange.name}}, which nothing fills in.`;
  for (const variant of own) {
    const [problem] = placeholderProblems(locale, variant, originalOf(variant, theirs));
    if (problem !== undefined) return `The text ${problem}.`;
  }
  return undefined;
}
