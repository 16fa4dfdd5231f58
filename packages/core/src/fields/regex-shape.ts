/** How often an element of a pattern repeats; `max` may be Infinity. */
export interface Repeat {
  readonly min: number;
  readonly max: number;
}

/** One element of a pattern. `source` of an atom is a pattern for exactly one character. */
export type Shape = Repeat &
  (
    | { readonly kind: 'atom'; readonly source: string }
    | { readonly kind: 'group'; readonly branches: readonly (readonly Shape[])[] }
    | { readonly kind: 'look'; readonly branches: readonly (readonly Shape[])[] }
    /** Start, end and word boundaries. They match no character. */
    | { readonly kind: 'anchor'; readonly source: string }
    | { readonly kind: 'backreference' }
  );

/**
 * Reads the shape of a regular expression: repeats and sequences.
 * The syntax must be valid: the platform has compiled the pattern with the `u` flag before.
 */
export function readShape(pattern: string): readonly (readonly Shape[])[] {
  const reader = { pattern, at: 0 };
  return readBranches(reader);
}

interface Reader {
  readonly pattern: string;
  at: number;
}

function readBranches(reader: Reader): Shape[][] {
  const branches: Shape[][] = [[]];
  while (reader.at < reader.pattern.length) {
    const char = reader.pattern.charAt(reader.at);
    if (char === ')') break;
    if (char === '|') {
      reader.at += 1;
      branches.push([]);
    } else {
      const element = readElement(reader);
      branches.at(-1)?.push({ ...element, ...readRepeat(reader) });
    }
  }
  return branches;
}

type Element =
  | { kind: 'atom'; source: string }
  | { kind: 'group' | 'look'; branches: Shape[][] }
  | { kind: 'anchor'; source: string }
  | { kind: 'backreference' };

function readElement(reader: Reader): Element {
  const rest = reader.pattern.slice(reader.at);
  if (rest.startsWith('(')) return readGroup(reader, rest);
  const take = (kind: 'atom' | 'anchor', source: string): Element => {
    reader.at += source.length;
    return { kind, source };
  };
  const backreference = /^\\(?:[1-9]\d*|k<[^>]*>)/.exec(rest);
  if (backreference !== null) {
    reader.at += backreference[0].length;
    return { kind: 'backreference' };
  }
  if (/^(?:[\^$]|\\[bB])/.test(rest)) return take('anchor', rest.startsWith('\\') ? rest.slice(0, 2) : rest.charAt(0));
  if (rest.startsWith('[')) return take('atom', /^\[(?:\\[\s\S]|[^\]\\])*\]/.exec(rest)?.[0] ?? rest);
  const escaped = /^\\(?:u\{[^}]*\}|u[0-9a-f]{4}(?:\\u[0-9a-f]{4})?|x[0-9a-f]{2}|c[a-z]|p\{[^}]*\}|[\s\S])/i.exec(rest);
  return take('atom', escaped?.[0] ?? String.fromCodePoint(rest.codePointAt(0) ?? 0));
}

function readGroup(reader: Reader, rest: string): Element {
  const opening = /^\((?:\?(?:<?[=!]|:|<[^>]*>))?/.exec(rest)?.[0] ?? '(';
  reader.at += opening.length;
  const branches = readBranches(reader);
  reader.at += 1;
  return { kind: /[=!]$/.test(opening) ? 'look' : 'group', branches };
}

function readRepeat(reader: Reader): Repeat {
  const found = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/.exec(reader.pattern.slice(reader.at));
  if (found === null) return { min: 1, max: 1 };
  reader.at += found[0].length;
  const [text, low, comma, high] = found;
  if (low === undefined) {
    return { min: text.startsWith('+') ? 1 : 0, max: text.startsWith('?') ? 1 : Number.POSITIVE_INFINITY };
  }
  const min = Number(low);
  if (comma === undefined) return { min, max: min };
  return { min, max: high === undefined || high === '' ? Number.POSITIVE_INFINITY : Number(high) };
}
