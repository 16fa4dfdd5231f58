/**
 * Looks names of receivers up without a thread of the process. The platform's own look-up waits in one of four threads, two of
 * which are for names: two names whose servers hang would keep every other name of the process waiting.
 */
import { type LookupAddress, promises } from 'node:dns';
import type { Resolve } from './webhook-address.ts';

/** For one server and try; a connection has five seconds in all. ms. */
const tryWithinMs = 2_000;
const tries = 2;
const thisMachine = /^(?:.*\.)?localhost\.?$/i;
const loopback: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** @param servers for tests; absent: those of the machine, read anew for each name */
export function resolveNames(servers?: readonly string[]): Resolve {
  return (hostname, _options, callback) => {
    lookUp(hostname, servers).then(
      (addresses) => callback(null, addresses),
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/** @throws the resolver's error where there is no address of either family */
async function lookUp(hostname: string, servers: readonly string[] | undefined): Promise<LookupAddress[]> {
  // No server is asked for it (RFC 6761).
  if (thisMachine.test(hostname)) return loopback;
  const resolver = new promises.Resolver({ timeout: tryWithinMs, tries });
  if (servers !== undefined) resolver.setServers(servers);
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (addresses.length === 0 && four.status === 'rejected') throw four.reason;
  return addresses;
}
