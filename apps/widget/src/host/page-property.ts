/**
 * A property of something that the surrounding app may have put on the page. An element of the page can stand where a property
 * is expected, and a getter can throw: both mean "not there". Never throws.
 */
export function pageProperty(value: unknown, name: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    // A getter of the surrounding app failed, so there is nothing to use.
    return undefined;
  }
}
