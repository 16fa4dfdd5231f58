/**
 * Limits a process to the hosts that its provider declares. Every connection of Node's own modules, and of `fetch`, goes through
 * `Socket.connect`.
 *
 * The guard stops mistakes, and libraries that send data elsewhere. It does not stop code that is written to break out of it, and it
 * does not limit questions to the DNS. The firewall of the machine does (docs/provider-kit.md).
 */
import dgram from 'node:dgram';
import dns from 'node:dns';
import net from 'node:net';

/** @param hosts such as `api.acme.example`, which means port 443, or `127.0.0.1:4000` */
export function guardNetwork(hosts: readonly string[]): void {
  const allowed = new Set(hosts.map((host) => (/:\d+$/.test(host) ? host : `${host}:443`)));
  const { connect } = net.Socket.prototype;
  const { lookup } = dns;
  replace(net.Socket.prototype, 'connect', function guarded(this: net.Socket, ...given: unknown[]): net.Socket {
    const [options, done] = normalized(given);
    const target =
      options['path'] === undefined ? `${options['host'] ?? 'localhost'}:${options['port']}` : 'a local socket';
    if (!allowed.has(target.toLowerCase())) {
      const refused = new Error(
        `This provider may not connect to ${target}. Its hosts are ${hosts.join(', ') || 'none'}.`,
      );
      process.nextTick(() => this.destroy(refused));
      return this;
    }
    // An own lookup could lead an allowed name to any address.
    return Reflect.apply(connect, this, [{ ...options, lookup }, ...(done === undefined ? [] : [done])]);
  });
  const refuse = (what: string) => () => {
    throw new Error(`This provider may not ${what}.`);
  };
  replace(net.Server.prototype, 'listen', refuse('listen'));
  for (const method of ['bind', 'connect', 'send']) replace(dgram.Socket.prototype, method, refuse('send datagrams'));
  // Signals reach every process of the same user, also the cashier.
  replace(process, 'kill', refuse('send signals'));
  replace(process, '_debugProcess', refuse('send signals'));
}

type Connecting = readonly [options: Readonly<Record<string, unknown>>, done: (() => void) | undefined];

/** The forms that `connect` accepts: options, a port with a host, or a path; `net.connect` passes one list of both. */
function normalized(given: readonly unknown[]): Connecting {
  const list = Array.isArray(given[0]) ? (given[0] as unknown[]) : given;
  const done = list.findLast((part) => typeof part === 'function') as (() => void) | undefined;
  const [first, second] = list;
  if (typeof first === 'object' && first !== null) return [first as Record<string, unknown>, done];
  if (typeof first === 'number' || /^\d+$/.test(String(first))) {
    return [{ port: Number(first), ...(typeof second === 'string' && { host: second }) }, done];
  }
  return [{ path: String(first) }, done];
}

/** Nobody can put the original back. */
function replace(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, writable: false, configurable: false });
}
