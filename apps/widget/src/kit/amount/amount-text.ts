/**
 * The text of an amount field. It is grouped while the user types, and it always means exactly the amount that it shows (AMT-1,
 * AMT-2).
 */
import { asciiDigit } from '@opencashier/core/amount/digits';
import { type AmountTextError, parseAmount } from '@opencashier/core/amount/parse-amount';
import {
  editAmount,
  groupTyped,
  isDecimalKey,
  type TypingRules,
  typeAmount,
  typedKey,
} from '@opencashier/core/amount/type-amount';
import { changedPart, formatEdit, type ShownText, type TextEdit } from './live-text.ts';

/** How amounts are written: the rules of the currency and the user's locale. */
export interface AmountWriting {
  readonly rules: TypingRules;
  readonly locale: string | undefined;
}

/** The result of an edit. After a fault the field shows its former text, and nothing is guessed. */
export interface AmountEdit extends ShownText {
  /** Without grouping, with a point for decimals in every locale: `1500.`, `1500.5`. */
  readonly typed: string;
  readonly fault?: AmountTextError;
}

/** The key of the message about a refused text. Such a text could mean two amounts, or it is no possible amount here. */
export function faultKey(fault: AmountTextError): string {
  return fault === 'ambiguous' ? 'amount.pasteUnclear' : 'amount.pasteUnreadable';
}

/** More digits than any amount has. So the field's text is read whole, even if the limits have changed since. */
const ANY_DIGITS = 40;

/** What the field shows for an amount that was typed (see `AmountEdit.typed`). */
export function showAmount(typed: string, { rules, locale }: AmountWriting): string {
  return groupTyped(editAmount(typed, rules), locale, roomy(rules));
}

/** Reads any edit of the field. Autofill and keyboards that insert whole words count as a paste. */
export function editAmountText(made: TextEdit, writing: AmountWriting): AmountEdit {
  const edit = { ...made, text: halfWidth(made.text) };
  const { previous, caret } = edit;
  const { start, end, inserted } = changedPart(edit);
  if (inserted.length > 1 && !isTyped(inserted)) return pasteAmount({ previous, start, end, inserted }, writing);
  const rules = roomFor(previous, writing.rules);
  const [before, after] = [previous.slice(0, start), previous.slice(end)];
  const keys = [...inserted].map((char) => typedKey(char, rules)).join('');
  const text = before + keys + after;
  if (isDecimalKey(inserted.slice(-1)) && (before + after).includes(rules.separator)) {
    // An amount has one separator. A key pressed in front of it steps over it.
    const isOver = inserted.length === 1 && start === end && after.startsWith(rules.separator);
    return unchanged(previous, isOver ? start + 1 : end, writing);
  }
  // The format puts the zero in front of a separator back. A second deletion would take the separator.
  if (edit.deletes === 'forward' && previous === `0${text}` && text.startsWith(rules.separator)) {
    return unchanged(previous, 1, writing);
  }
  const format = (raw: string) => groupTyped(raw, writing.locale, rules);
  if (drops(text, rules)) {
    return { ...unchanged(previous, start, writing), ...(inserted.length > 1 ? { fault: 'too-long' } : {}) };
  }
  const shown = formatEdit(
    { previous, text, caret, deletes: edit.deletes },
    { format, caretAfter: (left, formatted) => caretBehind(left, formatted, rules) },
  );
  return { ...shown, typed: read(shown.text, writing.rules) };
}

/** Replaces the selection by a pasted text. Refuses a text that could mean two amounts, or none (AMT-2). */
export function pasteAmount(
  paste: { readonly previous: string; readonly start: number; readonly end: number; readonly inserted: string },
  writing: AmountWriting,
): AmountEdit {
  const { previous, start, end } = paste;
  const { locale } = writing;
  const rules = roomFor(previous, writing.rules);
  const refuse = (fault: AmountTextError): AmountEdit => ({ ...unchanged(previous, end, writing), fault });
  const [before, after] = [previous.slice(0, start), previous.slice(end)];
  const parsed = parseAmount(paste.inserted, { locale, decimals: rules.decimals, currency: rules.currency });
  if (!parsed.ok) return refuse(parsed.error);
  const canonical = editAmount(parsed.decimal, rules);
  // Digits alone, or decimals alone, are put behind a digit unchanged. A zero in front would change the amount.
  const isTail = before !== '' && (isDigits(paste.inserted) || isDecimalKey(paste.inserted.trim().slice(0, 1)));
  const inserted = isTail ? [...paste.inserted.trim()].map((char) => typedKey(char, rules)).join('') : canonical;
  const whole = before + inserted + after;
  if ([...whole].filter((char) => char === rules.separator).length > 1) return refuse('ambiguous');
  if (drops(whole, rules)) return refuse('too-long');
  const text = groupTyped(whole, locale, rules);
  return { text, caret: caretBehind(before + inserted, text, rules), typed: read(text, rules) };
}

/** East Asian keyboards type digits as wide as their letters. */
function halfWidth(text: string): string {
  return text.replace(/[\uff0c\uff0e\uff10-\uff19]/g, (char) => char.normalize('NFKC'));
}

/** Whether the text is typed. Keyboards may insert several keys at once: digits, and perhaps a decimal key at the end. */
function isTyped(inserted: string): boolean {
  return isDigits(isDecimalKey(inserted.slice(-1)) ? inserted.slice(0, -1) : inserted);
}

/** The neutral form of what the field shows. */
function read(shown: string, rules: TypingRules): string {
  return typeAmount(shown, roomy(rules)).replace(rules.separator, '.');
}

function unchanged(previous: string, caret: number, { rules }: AmountWriting): AmountEdit {
  return { text: previous, caret, typed: read(previous, rules) };
}

/** The caret stays behind as many digits and separators as were before it. */
function caretBehind(before: string, formatted: string, rules: TypingRules): number {
  const meant = typeAmount(before, rules).length;
  let position = 0;
  for (let seen = 0; position < formatted.length && seen < meant; position += 1) {
    if (formatted[position] === rules.separator || isDigits(formatted.charAt(position))) seen += 1;
  }
  return position;
}

/** Whether the rules would leave digits out, which would change the amount without a notice. */
function drops(text: string, rules: TypingRules): boolean {
  return significant(text) !== significant(typeAmount(text, rules));
}

function significant(text: string): string {
  return [...text]
    .map((char) => asciiDigit(char) ?? '')
    .join('')
    .replace(/^0+/, '');
}

function isDigits(text: string): boolean {
  return text.trim() !== '' && [...text.trim()].every((char) => asciiDigit(char) !== undefined);
}

function roomy(rules: TypingRules): TypingRules {
  return { ...rules, maxIntegerDigits: ANY_DIGITS };
}

/** An amount that was longer before the limits came may stay as long as it is. */
function roomFor(previous: string, rules: TypingRules): TypingRules {
  const [integer = ''] = typeAmount(previous, roomy(rules)).split(rules.separator);
  return { ...rules, maxIntegerDigits: Math.max(rules.maxIntegerDigits, integer.length) };
}
