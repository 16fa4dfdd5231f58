/** The browser's storage. A browser may refuse it to a framed page; values then last as long as the page. */

type Area = 'localStorage' | 'sessionStorage';

/**
 * Values that the browser refused to store. Without them a payer who leaves during a create could send a second payment (DEP-16).
 */
const refused = new Map<string, string>();

export function readStored(area: Area, key: string): string | undefined {
  try {
    return refused.get(area + key) ?? globalThis[area]?.getItem(key) ?? undefined;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

export function store(area: Area, key: string, value: string | undefined): void {
  refused.delete(area + key);
  try {
    if (value === undefined) globalThis[area]?.removeItem(key);
    else globalThis[area]?.setItem(key, value);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (value !== undefined) refused.set(area + key, value);
  }
}
