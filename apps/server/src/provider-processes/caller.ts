/** For whom a provider's process works: fairness and quarantine go by it. */
import type { SuspectKey } from '@opencashier/core/connections/crash-quarantine';

export interface Caller {
  readonly operatorId: string;
  /** Absent: the account of the installation. */
  readonly connectionId?: string;
}

/** Calls that are for no known operator: callbacks to the account of the installation, and its watch. */
export const INSTALLATION: Caller = { operatorId: '' };

const SEPARATOR = '/';

/** Ids of connections have no slash. */
export function keyOf({ operatorId, connectionId = '' }: Caller): SuspectKey {
  return `${operatorId}${SEPARATOR}${connectionId}`;
}

export function callerOf(key: SuspectKey): Caller {
  const at = key.lastIndexOf(SEPARATOR);
  const [operatorId, connectionId] = [key.slice(0, at), key.slice(at + 1)];
  return { operatorId, ...(connectionId !== '' && { connectionId }) };
}

/** Callbacks have places of their own, so that calls that hang never refuse one. */
export function isOfCallback(method: string): boolean {
  return method === 'verify' || method === 'read' || method === 'withdraw-read';
}
