/** Whether the user is at a desktop. There the user scans the code with a phone, and no application opens `upi:` links. */
import { useSyncExternalStore } from 'react';
import { useServices } from './services.tsx';

/** The script of index.html has it, too. */
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

/** Whether the device has a mouse and no touch screen. A drawing of the server says for which device it is. */
export function useDesktop(): boolean {
  const { drawnFor } = useServices();
  return useSyncExternalStore(subscribe, isDesktop, () => drawnFor === 'desktop');
}
