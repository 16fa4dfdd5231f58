/**
 * Resolves names of receivers without the threads of Node's `dns.lookup`. Node has four threads and uses two of them for names. Two
 * names whose DNS servers hang would therefore block every other lookup of the process.
 */
import { type LookupAddress, promises } from 'node:dns';
import type { Resolve } from './webhook-address.ts';

/** Time limit of one attempt at one DNS server; the whole connection has five seconds. ms. */
const tryWithinMs = 2_000;
const tries = 2;
const thisMachine = /^(?:.*\.)?localhost\.?$/i;
const loopback: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** @param servers DNS servers, for tests; absent: the machine's, read again for each name */
export function resolveNames(servers?: readonly string[]): Resolve {
  return (hostname, _options, callback) => {
    lookUp(hostname, servers).then(
      (addresses) => callback(null, addresses),
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/** @throws the resolver's error if the name has neither an IPv4 nor an IPv6 address */
async function lookUp(hostname: string, servers: readonly string[] | undefined): Promise<LookupAddress[]> {
  // RFC 6761: localhost is never looked up at a DNS server.
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
