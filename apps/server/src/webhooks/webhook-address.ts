/**
 * Where webhooks may go (SRV-5). An operator chooses the address and the server calls it from inside its own network, so outside
 * the sandbox only public addresses are called: when the address is saved, and at each connection, of what its name resolves to.
 */
import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';

/** What IANA's registries of special-purpose addresses keep from the public internet, and multicast. */
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
// Of 2000::/3: Teredo and other tunnels, documentation, 6to4, which hides an IPv4 address.
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv6');
}
/** All that is given out of IPv6; loopback, private, link-local and multicast addresses lie outside. */
const globalIpv6 = new BlockList();
globalIpv6.addSubnet('2000::', 3, 'ipv6');

/** Whether anybody on the internet has this address; a name is none. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, 'ipv4');
  const text = address.split('%')[0] ?? '';
  const groups = isIP(text) === 6 ? groupsOf(text) : undefined;
  if (groups === undefined) return false;
  const embedded = embeddedIpv4(groups);
  if (embedded !== undefined) return isPublicAddress(embedded);
  return globalIpv6.check(text, 'ipv6') && !notPublic.check(text, 'ipv6');
}

/** The eight groups of an IPv6 address. The URL parser writes every form of one in the same way. */
function groupsOf(address: string): readonly number[] {
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const read = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [left, right] = [read(before), read(after ?? '')];
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

/** Prefixes under which the last 32 bits are an IPv4 address: mapped (::ffff:0:0/96), and NAT64 (64:ff9b::/96). */
const prefixesOfIpv4 = ['0,0,0,0,0,65535', '100,65435,0,0,0,0'];

function embeddedIpv4(groups: readonly number[]): string | undefined {
  if (!prefixesOfIpv4.includes(groups.slice(0, 6).join())) return undefined;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** Names that mean this machine or its network wherever they are resolved. */
const insideName = /^(?:localhost|.*\.(?:localhost|local|internal|home\.arpa))\.?$/;

/**
 * Why a webhook may not go to an address, as far as its text says; `undefined` where it may.
 * @param allowInside whether plain http and addresses of this network are allowed, as in the sandbox
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

/** Why a connection was refused before it was made. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
  readonly code = 'private-address';
}

/**
 * Resolves a name for one connection, which goes to one of the addresses that were looked at here: the name is not asked for
 * again. One address that is not public refuses the name as a whole.
 */
export function publicLookup(resolve: Resolve = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
        return callback(new PrivateAddressError('The name leads to an address that is not public.'), '');
      }
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

/** Whether the name of an address leads to this network now; a name that cannot be resolved yet does not. */
export function leadsInside(text: string, resolve: Resolve = lookup): Promise<boolean> {
  const { hostname } = new URL(text);
  return new Promise((done) => {
    publicLookup(resolve)(hostname.replace(/^\[|\]$/g, ''), { all: true }, (error) => {
      done(error instanceof PrivateAddressError);
    });
  });
}
