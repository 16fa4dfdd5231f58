import { safeAppPath } from '@opencashier/core/links/safe-link';

/** The list that had nothing to show, as it handed itself over; undefined for an address that was opened by hand. */
export function listOf(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const path: unknown = Reflect.get(state, 'backRoute');
  return typeof path === 'string' ? safeAppPath(path) : undefined;
}
