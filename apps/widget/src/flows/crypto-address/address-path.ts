/** Path of the address screen for a coin on a network. Without a deposit, the screen creates one. */
export function addressPath(tree: string, method: string, network: string | undefined, depositId?: string): string {
  const query = new URLSearchParams({
    ...(network === undefined ? {} : { network }),
    ...(depositId === undefined ? {} : { depositId }),
  }).toString();
  return `${tree}/crypto/${encodeURIComponent(method)}${query === '' ? '' : `?${query}`}`;
}

/** State for the history when the deposit existed before. If it has ended, the user wants a new address and not its outcome. */
export const kept = { isKept: true } as const;

export function isKept(state: unknown): boolean {
  return typeof state === 'object' && state !== null && Reflect.get(state, 'isKept') === true;
}
