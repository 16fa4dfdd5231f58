/** The method that a person used last on this device, so that it can be offered first (LIST-6). A name, nothing else. */
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
