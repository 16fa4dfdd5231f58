/** The last used method on this device, to offer it first (LIST-6). Only its name is stored. */
import { useSyncExternalStore } from 'react';
import { readStored, store } from '../session/browser-storage.ts';

const key = 'cashier.last-method';
const never = () => () => undefined;

export function rememberMethod(name: string): void {
  store('localStorage', key, name);
}

/** Undefined on the server and while nothing is remembered. */
export function useLastMethodName(): string | undefined {
  return useSyncExternalStore(
    never,
    () => readStored('localStorage', key),
    () => undefined,
  );
}
