/** Whether the person pays at a desktop: a phone of its own scans the code, and no application here opens `upi:` links. */
import { useSyncExternalStore } from 'react';

const query = '(hover: hover) and (pointer: fine)';

function subscribe(listen: () => void): () => void {
  const media = globalThis.matchMedia?.(query);
  media?.addEventListener('change', listen);
  return () => media?.removeEventListener('change', listen);
}

/** The same at this moment, for what a tap decides. */
export function isDesktop(): boolean {
  return globalThis.matchMedia?.(query)?.matches === true;
}

/** A mouse and nothing to touch; false while it is not known, so that a phone never loses its way to pay. */
export function useDesktop(): boolean {
  return useSyncExternalStore(subscribe, isDesktop, () => false);
}
