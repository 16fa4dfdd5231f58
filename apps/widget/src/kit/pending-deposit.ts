/** The key of the deposit that is being created, in this tab's storage, so that a reload sends the same one (DEP-16). */
import { readStored, store } from './browser-storage.ts';

const key = 'cashier.deposit';

export interface PendingDeposit {
  readonly depositId: string;
  /** What the key was made for: another wish needs another key. */
  readonly fingerprint: string;
}

export function readPendingDeposit(): PendingDeposit | undefined {
  const text = readStored('sessionStorage', key);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const depositId: unknown = Reflect.get(value, 'depositId');
    const fingerprint: unknown = Reflect.get(value, 'fingerprint');
    return typeof depositId === 'string' && typeof fingerprint === 'string' ? { depositId, fingerprint } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function storePendingDeposit(pending: PendingDeposit | undefined): void {
  store('sessionStorage', key, pending && JSON.stringify(pending));
}
