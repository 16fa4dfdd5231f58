/**
 * The messages between a command and the running cashier that holds the embedded database: lines of JSON over a unix socket. JSON has
 * no bigint, date or bytes, so each of them, and each object, is wrapped in an object with one key that names it.
 */
export type Request =
  | { readonly kind: 'query'; readonly text: string; readonly values?: readonly unknown[] }
  | { readonly kind: 'begin' | 'commit' | 'rollback' };

export type Answer =
  | { readonly kind: 'rows'; readonly rows: readonly unknown[] }
  | { readonly kind: 'failed'; readonly message: string; readonly fields: Readonly<Record<string, string>> };

/** Writes a message as a line. */
export function writeLine(message: Request | Answer): string {
  return `${JSON.stringify(wrapped(message))}\n`;
}

/** @throws SyntaxError, TypeError for a line that is no message */
export function readLine(line: string): unknown {
  return unwrapped(JSON.parse(line));
}

function wrapped(value: unknown): unknown {
  if (typeof value === 'bigint') return { b: String(value) };
  if (value === undefined) return null;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return { d: value.getTime() };
  if (value instanceof Uint8Array) return { x: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(wrapped);
  return { o: Object.fromEntries(Object.entries(value).map(([key, item]) => [key, wrapped(item)])) };
}

function unwrapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrapped);
  if (typeof value !== 'object' || value === null) return value;
  const [[kind, inner] = []] = Object.entries(value);
  if (kind === 'b' && typeof inner === 'string') return BigInt(inner);
  if (kind === 'd' && typeof inner === 'number') return new Date(inner);
  if (kind === 'x' && typeof inner === 'string') return Buffer.from(inner, 'base64');
  if (kind === 'o' && typeof inner === 'object' && inner !== null) {
    return Object.fromEntries(Object.entries(inner).map(([key, item]) => [key, unwrapped(item)]));
  }
  throw new TypeError('The message has a value of an unknown kind.');
}
