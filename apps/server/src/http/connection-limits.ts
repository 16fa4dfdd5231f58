/**
 * Limits of connections (SRV-9). They bound how long a client may take to send a request, and how many connections an address may
 * have. They also bound how many web sockets of an address may be open without a valid token.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Cancel, Clock } from '@opencashier/core/time/clock';
import { callerAddress } from './caller-address.ts';

/** Times of the HTTP server, in ms. */
export interface RequestTimes {
  /** For the whole head of a request, also on a new connection that sends nothing. */
  readonly headMs: number;
  /** For head and body together. */
  readonly requestMs: number;
  /** How often the server looks for late requests. */
  readonly checkEveryMs: number;
  /** For a connection without any traffic, also when its client does not read the answer. */
  readonly stillMs: number;
}

export const requestTimes: RequestTimes = { headMs: 10_000, requestMs: 30_000, checkEveryMs: 1_000, stillMs: 60_000 };

/** The most of one address. Many people may share the address of an office or a mobile network, each with a few connections. */
export interface ConnectionCounts {
  readonly connections: number;
  /** Web sockets that have not shown a valid token. */
  readonly unidentified: number;
}

export const connectionCounts: ConnectionCounts = { connections: 512, unidentified: 64 };
/** No limits, for measurements. */
export const uncounted: ConnectionCounts = {
  connections: Number.POSITIVE_INFINITY,
  unidentified: Number.POSITIVE_INFINITY,
};

/** A web socket that has not shown a valid token by then is closed. ms. */
export const tokenWithinMs = 10_000;

export interface ConnectionLimits {
  /**
   * Counts a connection or a request of an address.
   * @returns the function that ends the count, or undefined when the address has too many
   */
  take(address: string): Cancel | undefined;
  /** Admits an upgrade without a token yet, and closes it in time. @returns false when its address has too many */
  admit(upgrade: IncomingMessage): boolean;
  /** Keeps a web socket open that has shown a valid token. */
  keep(socket: Socket): void;
  /** Ends every web socket, also when its client does not answer the close. */
  endUpgraded(): void;
}

export interface ConnectionLimitOptions {
  readonly counts: ConnectionCounts;
  /** How many proxies stand before the server. Without any, the other end of a connection is the client itself. */
  readonly trustedProxies: number;
  readonly clock: Pick<Clock, 'setTimer'>;
}

/** Counts every connection of the server when clients connect directly. A proxy may have any number of connections. */
export function limitConnections(server: Server, options: ConnectionLimitOptions): ConnectionLimits {
  const { counts, trustedProxies, clock } = options;
  const connections = placesOf(counts.connections);
  const unidentified = placesOf(counts.unidentified);
  const upgraded = new Set<Socket>();
  // Apart from the set above: an idle socket, of which there are many, must not hold what it needed at its start.
  const waiting = new Map<Socket, Cancel>();
  const endWait = (socket: Socket): void => {
    waiting.get(socket)?.();
    waiting.delete(socket);
  };

  if (trustedProxies === 0) {
    server.on('connection', (socket) => {
      const leave = connections.take(socket.remoteAddress ?? '');
      if (leave === undefined) socket.destroy();
      else socket.once('close', leave);
    });
  }

  return {
    take: connections.take,
    admit({ socket, headers }) {
      const address = callerAddress(socket.remoteAddress ?? '', headers['x-forwarded-for'], trustedProxies);
      const leave = unidentified.take(address);
      if (leave === undefined) return false;
      const release = trustedProxies === 0 ? () => undefined : connections.take(address);
      if (release === undefined) {
        leave();
        return false;
      }
      const cancelTimer = clock.setTimer(() => socket.destroy(), tokenWithinMs);
      waiting.set(socket, () => {
        cancelTimer();
        leave();
      });
      upgraded.add(socket);
      socket.once('close', () => {
        upgraded.delete(socket);
        endWait(socket);
        release();
      });
      return true;
    },
    keep: endWait,
    endUpgraded() {
      for (const socket of upgraded) socket.destroy();
    },
  };
}

/** Counts uses of each address, at most `most`. The returned function ends a use once, however often it is called. */
function placesOf(most: number): { take(address: string): Cancel | undefined } {
  const taken = new Map<string, number>();
  return {
    take(address) {
      const count = taken.get(address) ?? 0;
      if (count >= most) return undefined;
      taken.set(address, count + 1);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        const left = (taken.get(address) ?? 0) - 1;
        if (left > 0) taken.set(address, left);
        else taken.delete(address);
      };
    },
  };
}
