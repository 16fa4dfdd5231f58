/**
 * Bounds of connections (SRV-9): how long a client may take to say what it wants, how many connections one address has, and how
 * many web sockets of it may be open before they say whose they are.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Cancel, Clock } from '@opencashier/core/time/clock';
import { callerAddress } from './caller-address.ts';

/** Times of the HTTP server, in ms. */
export interface RequestTimes {
  /** For the whole head of a request, also the first of a connection that says nothing. */
  readonly headMs: number;
  /** For head and body together. */
  readonly requestMs: number;
  /** How often the server looks for those that are late. */
  readonly checkEveryMs: number;
  /** For a connection on which nothing moves, also when its client does not read the answer. */
  readonly stillMs: number;
}

export const requestTimes: RequestTimes = { headMs: 10_000, requestMs: 30_000, checkEveryMs: 1_000, stillMs: 60_000 };

/** Of one address. Behind the address of an office or a mobile network there are many people, each with a few connections. */
export interface ConnectionCounts {
  readonly connections: number;
  /** Web sockets that have not said whose they are. */
  readonly strangers: number;
}

export const connectionCounts: ConnectionCounts = { connections: 512, strangers: 64 };
/** Where calls are not limited either, to measure. */
export const uncounted: ConnectionCounts = {
  connections: Number.POSITIVE_INFINITY,
  strangers: Number.POSITIVE_INFINITY,
};

/** A web socket that has not shown a good token by then is closed. ms. */
export const strangerMs = 10_000;

export interface ConnectionLimits {
  /**
   * Counts a connection or a request of an address.
   * @returns what gives the place back, or undefined where the address has none left
   */
  take(address: string): Cancel | undefined;
  /** Lets an upgrade in as a stranger, and closes it in time. @returns false where its address has too many */
  admit(upgrade: IncomingMessage): boolean;
  /** The web socket has shown a good token: it may stay. */
  greet(socket: Socket): void;
  /** Ends every web socket, also one whose client does not say goodbye. */
  endUpgraded(): void;
}

export interface ConnectionLimitOptions {
  readonly counts: ConnectionCounts;
  /** How many proxies stand before the server. Without any, the other end of a connection is the client itself. */
  readonly trustedProxies: number;
  readonly clock: Pick<Clock, 'setTimer'>;
}

/** Counts every connection of the server where clients connect by themselves; proxies have as many as they like. */
export function limitConnections(server: Server, options: ConnectionLimitOptions): ConnectionLimits {
  const { counts, trustedProxies, clock } = options;
  const connections = placesOf(counts.connections);
  const strangers = placesOf(counts.strangers);
  const upgraded = new Map<Socket, Cancel>();

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
      const leave = strangers.take(address);
      if (leave === undefined) return false;
      const release = trustedProxies === 0 ? () => undefined : connections.take(address);
      if (release === undefined) {
        leave();
        return false;
      }
      const cancelTimer = clock.setTimer(() => socket.destroy(), strangerMs);
      const end = (): void => {
        cancelTimer();
        leave();
      };
      upgraded.set(socket, end);
      socket.once('close', () => {
        upgraded.delete(socket);
        end();
        release();
      });
      return true;
    },
    greet(socket) {
      upgraded.get(socket)?.();
    },
    endUpgraded() {
      for (const socket of upgraded.keys()) socket.destroy();
    },
  };
}

/** So many places for each address; a place is given back once, however often that is said. */
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
