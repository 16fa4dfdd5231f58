/** Storage that a browser may refuse to a framed page: then nothing is remembered, and nothing breaks. */

type Area = 'localStorage' | 'sessionStorage';

export function readStored(area: Area, key: string): string | undefined {
  try {
    return globalThis[area]?.getItem(key) ?? undefined;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

export function store(area: Area, key: string, value: string | undefined): void {
  try {
    if (value === undefined) globalThis[area]?.removeItem(key);
    else globalThis[area]?.setItem(key, value);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
