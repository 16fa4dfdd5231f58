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
  const { text: shown, raw, isComplete } = applyMask(mask, text);
  return isComplete && (shown === text || (mask.kind === 'pattern' && raw === text));
}

const ACCEPTED = { digit: /^[0-9]$/, letter: /^\p{L}$/u, any: /^[\p{L}0-9]$/u } as const;

function applyPattern(slots: readonly Slot[], text: string): Masked {
  const typed = [...text];
  let shown = '';
  let pendingLiterals = '';
  let raw = '';
  let filled = 0;
  for (const slot of slots) {
    if ('literal' in slot) {
      // A literal that the user typed, or that the mask wrote before, is not taken for input.
      if (typed[0] === slot.literal) typed.shift();
      pendingLiterals += slot.literal;
      filled += 1;
      continue;
    }
    const accepted = ACCEPTED[slot.accepts];
    while (typed.length > 0 && !accepted.test(typed[0] ?? '')) typed.shift();
    const char = typed.shift();
    if (char === undefined) break;
    shown += pendingLiterals + char;
    pendingLiterals = '';
    raw += char;
    filled += 1;
  }
  const isComplete = filled === slots.length && raw !== '';
  return { text: isComplete ? shown + pendingLiterals : shown, raw, isComplete };
}

function applyDate(text: string): Masked {
  const parts = [text.replace(/[^0-9.]/g, '')].flatMap((clean) => splitDate(clean));
  const shown = parts.join('.');
  return { text: shown, raw: parts.join(''), isComplete: isDate(shown) };
}

/** Day, month and year as far as they are typed; a separator closes a part early and pads it. */
function splitDate(text: string): string[] {
  const parts = [''];
  for (const char of text) {
    const index = parts.length - 1;
    const part = parts[index] ?? '';
    if (char === '.') {
      if (index < 2 && part !== '') {
        parts[index] = part.padStart(2, '0');
        parts.push('');
      }
    } else if (index < 2 && part.length === 2) parts.push(char);
    else if (part.length < (index === 2 ? 4 : 2)) parts[index] = part + char;
  }
  return parts;
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

function applyRange({ min, max }: { min: number; max: number }, text: string): Masked {
  let shown = '';
  for (const char of text.replace(/[^0-9]/g, '')) {
    const next = shown === '0' ? char : shown + char;
    if (Number(next) <= max) shown = next;
  }
  return { text: shown, raw: shown, isComplete: shown !== '' && Number(shown) >= min };
}

function applyEnum(values: readonly string[], text: string): Masked {
  let shown = '';
  for (const char of text) {
    const next = (shown + char).toLowerCase();
    const found = values.find((value) => value.toLowerCase().startsWith(next));
    if (found !== undefined) shown = found.slice(0, next.length);
  }
  return { text: shown, raw: shown, isComplete: values.includes(shown) };
}
