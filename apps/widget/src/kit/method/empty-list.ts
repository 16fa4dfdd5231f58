import { safeAppPath } from '@opencashier/core/links/safe-link';

/** The path of the empty list that led here, from the history. Undefined if the user opened the address directly. */
export function listOf(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const path: unknown = Reflect.get(state, 'backRoute');
  return typeof path === 'string' ? safeAppPath(path) : undefined;
}

/** True if the list is empty in every region, because the operator pays nothing out here. */
export function isNotOffered(state: unknown): boolean {
  return typeof state === 'object' && state !== null && Reflect.get(state, 'isOffered') === false;
}
