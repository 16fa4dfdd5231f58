/**
 * A mask of a field (FORM-8): a pattern of digits and letters, a date, a range of whole numbers, or a list of values.
 */
export type Mask =
  | { readonly kind: 'pattern'; readonly slots: readonly Slot[] }
  | { readonly kind: 'date' }
  | { readonly kind: 'range'; readonly min: number; readonly max: number }
  | { readonly kind: 'enum'; readonly values: readonly string[] };

/** One place of a pattern: something to type, or a literal that the mask writes by itself. */
export type Slot = { readonly accepts: 'digit' | 'letter' | 'any' } | { readonly literal: string };

/** What a mask makes of a text. */
export interface Masked {
  /** What the field shows. */
  readonly text: string;
  /** What the user typed, without the literals. */
  readonly raw: string;
  /** All is there, and it can be right. */
  readonly isComplete: boolean;
  /** Letters, digits and signs of the text that have no place under the mask. A form refuses them in words (FORM-8). */
  readonly lost: string;
}

/** Years that a date may have (section 5). */
const MIN_YEAR = 1900;
const MAX_YEAR = 9999;

const DATE_MASKS: ReadonlySet<string> = new Set(['date', 'd.m.y', 'dd.mm.yyyy']);

/**
 * Reads a mask as the catalogue writes it: `DD.MM.YYYY` (or `date`), `range:1-31`, `enum:AB|CD`, else a pattern in which `0`
 * and `#` stand for a digit, `a` for a letter, `*` for either, and everything else, or what follows a backslash, for itself.
 */
export function parseMask(text: string): Mask {
  if (DATE_MASKS.has(text.toLowerCase())) return { kind: 'date' };
  const range = /^range:(\d{1,9})-(\d{1,9})$/.exec(text);
  if (range !== null) {
    const [low, high] = [Number(range[1]), Number(range[2])];
    return { kind: 'range', min: Math.min(low, high), max: Math.max(low, high) };
  }
  if (text.startsWith('enum:')) return { kind: 'enum', values: text.slice('enum:'.length).split('|').filter(Boolean) };
  return { kind: 'pattern', slots: readSlots(text) };
}

function readSlots(text: string): Slot[] {
  const slots: Slot[] = [];
  let isEscaped = false;
  for (const char of text) {
    if (isEscaped) slots.push({ literal: char });
    else if (char === '0' || char === '#') slots.push({ accepts: 'digit' });
    else if (char === 'a') slots.push({ accepts: 'letter' });
    else if (char === '*') slots.push({ accepts: 'any' });
    else if (char !== '\\') slots.push({ literal: char });
    isEscaped = !isEscaped && char === '\\';
  }
  return slots;
}

/** Lays a typed or pasted text under a mask. Applying it again to what it shows changes nothing. */
export function applyMask(mask: Mask, text: string): Masked {
  switch (mask.kind) {
    case 'pattern':
      return applyPattern(mask.slots, text);
    case 'date':
      return applyDate(text);
    case 'range':
      return applyRange(mask, text);
    case 'enum':
      return applyEnum(mask.values, text);
  }
}

/**
 * Whether a finished text is what a mask makes of it (FORM-8): all is there and nothing is left over. A pattern's literals may
 * be left out, as some forms send what was typed without them.
 */
export function fitsMask(mask: Mask, text: string): boolean {
  const { text: shown, raw, isComplete, lost } = applyMask(mask, text);
  return isComplete && lost === '' && (shown === text || (mask.kind === 'pattern' && raw === text));
}

const ACCEPTED = { digit: /^[0-9]$/, letter: /^\p{L}$/u, any: /^[\p{L}0-9]$/u } as const;

/** Spaces, punctuation and invisible marks only part a text, so one may stand for another. */
const SEPARATOR = /[\p{P}\p{Z}\p{C}]/u;

function significant(chars: readonly string[]): string {
  return chars.filter((char) => !SEPARATOR.test(char)).join('');
}

function applyPattern(slots: readonly Slot[], text: string): Masked {
  const typed = [...text.normalize('NFC')];
  let shown = '';
  let pendingLiterals = '';
  let raw = '';
  let filled = 0;
  const lost: string[] = [];
  for (const slot of slots) {
    if ('literal' in slot) {
      pendingLiterals += slot.literal;
      filled += 1;
      // A literal that was typed stands in the field: the next character is not taken for it again.
      if (isLiteral(typed[0], slot.literal)) {
        typed.shift();
        shown += pendingLiterals;
        pendingLiterals = '';
      }
      continue;
    }
    const accepted = ACCEPTED[slot.accepts];
    while (typed.length > 0 && !accepted.test(typed[0] ?? '')) lost.push(...typed.splice(0, 1));
    const char = typed.shift();
    if (char === undefined) break;
    shown += pendingLiterals + char;
    pendingLiterals = '';
    raw += char;
    filled += 1;
  }
  const isComplete = filled === slots.length && raw !== '';
  return {
    text: isComplete ? shown + pendingLiterals : shown,
    raw,
    isComplete,
    lost: significant([...lost, ...typed]),
  };
}

/** Letters in either case, and one separator for another. */
function isLiteral(char: string | undefined, literal: string): boolean {
  if (char === undefined) return false;
  return char.toLowerCase() === literal.toLowerCase() || (SEPARATOR.test(char) && SEPARATOR.test(literal));
}

/** Year, month and day as programs and browsers write a date (ISO 8601), perhaps with a time. */
const ISO_DATE = /^\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:T.*)?\s*$/;

function applyDate(text: string): Masked {
  const [, year, month, day] = ISO_DATE.exec(text) ?? [];
  const { parts, lost } = splitDate(year === undefined ? text : `${day}.${month}.${year}`);
  const shown = parts.join('.');
  return { text: shown, raw: parts.join(''), isComplete: isDate(shown), lost };
}

/** Day, month and year as far as they are typed; a separator closes a part early and pads it. */
function splitDate(text: string): { readonly parts: readonly string[]; readonly lost: string } {
  const parts = [''];
  const lost: string[] = [];
  for (const char of text) {
    const index = parts.length - 1;
    const part = parts[index] ?? '';
    if (SEPARATOR.test(char)) {
      if (index < 2 && part !== '') {
        parts[index] = part.padStart(2, '0');
        parts.push('');
      }
    } else if (!/^[0-9]$/.test(char)) lost.push(char);
    else if (index < 2 && part.length === 2) parts.push(char);
    else if (part.length < (index === 2 ? 4 : 2)) parts[index] = part + char;
    else lost.push(char);
  }
  return { parts, lost: significant(lost) };
}

/** Whether a text is a day of the calendar as `day.month.year`, in the years 1900 to 9999 (FORM-8). */
export function isDate(text: string): boolean {
  const match = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text);
  if (match === null) return false;
  const [day, month, year] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < MIN_YEAR || year > MAX_YEAR) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** A number that is too great stays as it was typed: it is wrong, but another number in its place would be a guess. */
function applyRange({ min, max }: { min: number; max: number }, text: string): Masked {
  const longest = String(max).length;
  let shown = '';
  const lost: string[] = [];
  for (const char of text) {
    const next = shown === '0' ? char : shown + char;
    if (!/^[0-9]$/.test(char)) lost.push(...char.trim());
    else if (next.length > longest) lost.push(char);
    else shown = next;
  }
  const isComplete = shown !== '' && Number(shown) >= min && Number(shown) <= max;
  return { text: shown, raw: shown, isComplete, lost: lost.join('') };
}

/** An entry of the list in the list's own letter case. Any other text stays as it was typed, and is wrong. */
function applyEnum(values: readonly string[], text: string): Masked {
  const typed = text.trim().toLowerCase();
  const found = values.find((value) => value.toLowerCase().startsWith(typed));
  const shown = found === undefined ? text : found.slice(0, typed.length);
  return { text: shown, raw: shown, isComplete: values.includes(shown), lost: '' };
}
