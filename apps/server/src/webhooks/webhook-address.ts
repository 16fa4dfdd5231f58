/**
 * The addresses that may receive webhooks (SRV-5). An operator chooses its address, and the server calls it from inside its own
 * network. So outside the sandbox the server calls only public addresses. It checks the address when it is saved. At each connection
 * it also checks the addresses to which the name resolves.
 */
import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';

/** Addresses that are not public: those of IANA's special-purpose registries, and multicast. */
const notPublic = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv4');
}
// Exceptions within 2000::/3: Teredo and other tunnels, documentation, and 6to4, which contains an IPv4 address.
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv6');
}
/** The public range of IPv6. Loopback, private, link-local and multicast addresses are outside it. */
const globalIpv6 = new BlockList();
globalIpv6.addSubnet('2000::', 3, 'ipv6');

/** Whether a text is a public IP address. A host name is not. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, 'ipv4');
  const text = address.split('%')[0] ?? '';
  const groups = isIP(text) === 6 ? groupsOf(text) : undefined;
  if (groups === undefined) return false;
  const embedded = embeddedIpv4(groups);
  if (embedded !== undefined) return isPublicAddress(embedded);
  return globalIpv6.check(text, 'ipv6') && !notPublic.check(text, 'ipv6');
}

/** The eight groups of an IPv6 address. The URL parser first turns every notation into the same one. */
function groupsOf(address: string): readonly number[] {
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const read = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [left, right] = [read(before), read(after ?? '')];
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

/** Prefixes whose last 32 bits are an IPv4 address: IPv4-mapped (::ffff:0:0/96) and NAT64 (64:ff9b::/96). */
const prefixesOfIpv4 = ['0,0,0,0,0,65535', '100,65435,0,0,0,0'];

function embeddedIpv4(groups: readonly number[]): string | undefined {
  if (!prefixesOfIpv4.includes(groups.slice(0, 6).join())) return undefined;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** Names that always mean the machine itself or its network. */
const insideName = /^(?:localhost|.*\.(?:localhost|local|internal|home\.arpa))\.?$/;

/**
 * Checks the text of a webhook address, without resolving its name.
 * @param allowInside whether plain http and private addresses are allowed, as in the sandbox
 * @returns why the address is refused; `undefined`: it is allowed
 */
export function webhookAddressProblem(text: string, allowInside: boolean): string | undefined {
  if (!URL.canParse(text)) return 'not an address';
  const { protocol, username, password, hostname } = new URL(text);
  if (protocol !== 'https:' && !(allowInside && protocol === 'http:')) return 'not https';
  if (username !== '' || password !== '') return 'a user or password in the address';
  if (allowInside) return undefined;
  const host = hostname.replace(/^\[|\]$/g, '');
  const isInside = isIP(host) === 0 ? insideName.test(host) : !isPublicAddress(host);
  return isInside ? 'private address' : undefined;
}

export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A connection was refused before it was opened, because its name resolves to an address that is not public. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
  readonly code = 'private-address';
}

/**
 * Resolves a name for one connection and refuses it if one of its addresses is not public. The connection uses an address that was
 * checked here. A second lookup could get another address, so there is none.
 */
export function publicLookup(resolve: Resolve = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
        return callback(new PrivateAddressError('The name resolves to an address that is not public.'), '');
      }
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

/** Whether the name of an address now resolves to a private address. `false` for a name that cannot be resolved yet. */
export function leadsInside(text: string, resolve: Resolve = lookup): Promise<boolean> {
  const { hostname } = new URL(text);
  return new Promise((done) => {
    publicLookup(resolve)(hostname.replace(/^\[|\]$/g, ''), { all: true }, (error) => {
      done(error instanceof PrivateAddressError);
    });
  });
}
