/** The mask of a field (FORM-8): a pattern, a date, a range of whole numbers, or a list of values. */
export type Mask =
  | { readonly kind: 'pattern'; readonly slots: readonly Slot[] }
  | { readonly kind: 'date' }
  | { readonly kind: 'range'; readonly min: number; readonly max: number }
  | { readonly kind: 'enum'; readonly values: readonly string[] };

/** One position of a pattern: a character to type, or a literal that the mask adds. */
export type Slot = { readonly accepts: 'digit' | 'letter' | 'any' } | { readonly literal: string };

/** A text after a mask was applied. */
export interface Masked {
  /** The text that the field shows. */
  readonly text: string;
  /** The characters that the user typed, without the literals. */
  readonly raw: string;
  /** The text is complete and valid. */
  readonly isComplete: boolean;
  /** The characters that do not fit the mask. A form names them in its error (FORM-8). */
  readonly lost: string;
}

/** The first valid year of a date (section 5). */
const MIN_YEAR = 1900;
const MAX_YEAR = 9999;

const DATE_MASKS: ReadonlySet<string> = new Set(['date', 'd.m.y', 'dd.mm.yyyy']);

/**
 * Reads a mask from the catalogue: `DD.MM.YYYY` (or `date`), `range:1-31`, `enum:AB|CD`, or a pattern.
 * In a pattern `0` and `#` mean a digit, `a` a letter, and `*` a digit or a letter.
 * Any other character, and any character after a backslash, is a literal.
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

/** Applies a mask to a typed or pasted text. Applying the mask again to its result changes nothing. */
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
 * Whether a complete text fits a mask (FORM-8), with nothing missing and nothing left over.
 * Literals of a pattern may be missing, because some forms send the text without them.
 */
export function fitsMask(mask: Mask, text: string): boolean {
  const { text: shown, raw, isComplete, lost } = applyMask(mask, text);
  return isComplete && lost === '' && (shown === text || (mask.kind === 'pattern' && raw === text));
}

const ACCEPTED = { digit: /^[0-9]$/, letter: /^\p{L}$/u, any: /^[\p{L}0-9]$/u } as const;

/** Spaces, punctuation and invisible marks all separate parts, so one may replace another. */
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
      // A literal that the user typed fills this position, so the next character is not matched against the literal again.
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

/** Letters match in either case, and separators match each other. */
function isLiteral(char: string | undefined, literal: string): boolean {
  if (char === undefined) return false;
  return char.toLowerCase() === literal.toLowerCase() || (SEPARATOR.test(char) && SEPARATOR.test(literal));
}

/** Year, month and day in ISO 8601, as programs and browsers write a date, with an optional time. */
const ISO_DATE = /^\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:T.*)?\s*$/;

function applyDate(text: string): Masked {
  const [, year, month, day] = ISO_DATE.exec(text) ?? [];
  const { parts, lost } = splitDate(year === undefined ? text : `${day}.${month}.${year}`);
  const shown = parts.join('.');
  return { text: shown, raw: parts.join(''), isComplete: isDate(shown), lost };
}

/** Splits a typed date into day, month and year. A separator after a short part ends the part and pads it with a zero. */
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

/** Whether a text is a calendar day as `day.month.year`, in the years 1900 to 9999 (FORM-8). */
export function isDate(text: string): boolean {
  const match = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text);
  if (match === null) return false;
  const [day, month, year] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < MIN_YEAR || year > MAX_YEAR) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** A number above the range stays as typed and is invalid. Another number in its place would be a guess. */
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

/** The matching value in the list's letter case. Any other text stays as typed and is invalid. */
function applyEnum(values: readonly string[], text: string): Masked {
  const typed = text.trim().toLowerCase();
  const found = values.find((value) => value.toLowerCase().startsWith(typed));
  const shown = found === undefined ? text : found.slice(0, typed.length);
  return { text: shown, raw: shown, isComplete: values.includes(shown), lost: '' };
}
