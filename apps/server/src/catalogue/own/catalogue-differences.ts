/** What a change of a catalogue adds, changes and removes, as lists for people. */
import { isDeepStrictEqual } from 'node:util';

export interface Difference {
  /** Such as `methods.card.limits.USD.max`. */
  readonly path: string;
  readonly kind: 'added' | 'changed' | 'removed';
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * The differences of two catalogues in the form of a file, by path. A method, group or country that is new or gone is one difference.
 * Lists are compared as a whole.
 */
export function catalogueDifferences(before: object, after: object): Difference[] {
  return differences('', before, after).sort((a, b) => (a.path < b.path ? -1 : 1));
}

function differences(path: string, before: unknown, after: unknown): Difference[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (before === undefined) return [{ path, kind: 'added', after }];
  if (after === undefined) return [{ path, kind: 'removed', before }];
  if (!isRecord(before) || !isRecord(after)) return [{ path, kind: 'changed', before, after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    differences(path === '' ? key : `${path}.${key}`, before[key], after[key]),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const signs = { added: '+', changed: '~', removed: '-' } as const;
/** The longest value in a line. */
const longest = 120;

/** One line, such as `~ methods.card.limits.USD.max: 5000 -> 8000`. */
export function differenceLine({ path, kind, before, after }: Difference): string {
  const values = kind === 'changed' ? changeOf(before, after) : short(kind === 'added' ? after : before);
  return `${signs[kind]} ${path}: ${values}`;
}

/** Two long lists of names would look the same when they are cut, so only what was added and removed is shown. */
function changeOf(before: unknown, after: unknown): string {
  if (isLongList(before) && isLongList(after)) {
    const named = { added: without(after, before), removed: without(before, after) };
    const parts = Object.entries(named).filter(([, names]) => names.length > 0);
    if (parts.length > 0) return parts.map(([word, names]) => `${word} ${short(names.join(', '))}`).join('; ');
  }
  return `${short(before)} -> ${short(after)}`;
}

const without = (names: readonly string[], others: readonly string[]): string[] =>
  names.filter((name) => !others.includes(name));

function isLongList(value: unknown): value is readonly string[] {
  const isNames = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return isNames && JSON.stringify(value).length > longest / 2;
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
