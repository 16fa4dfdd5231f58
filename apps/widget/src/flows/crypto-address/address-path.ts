/** Path of the address of a coin on a network; without a deposit one is asked for there. */
export function addressPath(tree: string, method: string, network: string | undefined, depositId?: string): string {
  const query = new URLSearchParams({
    ...(network === undefined ? {} : { network }),
    ...(depositId === undefined ? {} : { depositId }),
  }).toString();
  return `${tree}/crypto/${encodeURIComponent(method)}${query === '' ? '' : `?${query}`}`;
}

/** Handed over where the deposit is one of before: should it be over, the person wants an address and not its end. */
export const kept = { isKept: true } as const;

export function isKept(state: unknown): boolean {
  return typeof state === 'object' && state !== null && Reflect.get(state, 'isKept') === true;
}
