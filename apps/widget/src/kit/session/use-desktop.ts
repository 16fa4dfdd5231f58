/** Whether the user is at a desktop. There the user scans the code with a phone, and no application opens `upi:` links. */
import { useSyncExternalStore } from 'react';

const query = '(hover: hover) and (pointer: fine)';

function subscribe(listen: () => void): () => void {
  const media = globalThis.matchMedia?.(query);
  media?.addEventListener('change', listen);
  return () => media?.removeEventListener('change', listen);
}

/** Whether it is a desktop now, for code that runs at a tap. */
export function isDesktop(): boolean {
  return globalThis.matchMedia?.(query)?.matches === true;
}

/** Whether the device has a mouse and no touch screen. False on the server, so that a phone never loses its payment apps. */
export function useDesktop(): boolean {
  return useSyncExternalStore(subscribe, isDesktop, () => false);
}
