/** Whose address counts for the limits where proxies stand before the server. */

/**
 * The address that the outermost trusted proxy saw: as many steps back from the connection as there are proxies. The caller may
 * have written whatever stands further left in `X-Forwarded-For`.
 *
 * @param peer the other end of the connection
 */
export function callerAddress(peer: string, forwardedFor: string | string[] | undefined, proxies: number): string {
  const told = [forwardedFor ?? []].flat().join(',').split(',');
  const fromNearest = [
    peer,
    ...told
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .reverse(),
  ];
  return fromNearest[Math.min(proxies, fromNearest.length - 1)] ?? peer;
}
