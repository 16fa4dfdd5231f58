/**
 * Text that every database and provider can keep: no NUL (PostgreSQL has no place for it) and no half of a surrogate pair
 * (which is no character at all). Refused at the door, so that it cannot become a fault further in.
 */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

/** What a caller is told of a text that cannot be kept. */
export const unstorableText = 'Expected text without NUL and without half characters.';

/** Path of the first text, key or value, that cannot be kept; `undefined` when all can. The value has been read by a schema. */
export function unstorablePath(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (!isStorable(key)) return path;
    const found = unstorablePath(item, path === '' ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
