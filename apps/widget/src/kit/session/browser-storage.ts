/** Storage that a browser may refuse to a framed page: then what is stored lasts as long as the page, and nothing breaks. */

type Area = 'localStorage' | 'sessionStorage';

/** Without storage, a payer who leaves during a create could send a second payment beside it (DEP-16). */
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
