/** Server-sent events: a page hears that its user's balance has changed, and asks for it. */
import { PassThrough, type Readable } from 'node:stream';

const heartbeatMs = 20_000;
const streamsPerUser = 20;

export interface LiveUpdates {
  /** @returns the body of an event stream, or undefined when this user has too many open */
  open(userId: string): Readable | undefined;
  tell(userId: string): void;
  close(): void;
}

export function createLiveUpdates(): LiveUpdates {
  const streams = new Map<string, Set<PassThrough>>();
  const each = (sets: Iterable<Set<PassThrough>>, text: string) => {
    for (const set of sets) for (const stream of set) stream.write(text);
  };
  // A silent connection is cut by proxies, and a browser cannot tell a dead one from a quiet one.
  const heartbeat = setInterval(() => each(streams.values(), ': still here\n\n'), heartbeatMs);
  heartbeat.unref();
  return {
    open(userId) {
      const open = streams.get(userId) ?? new Set();
      if (open.size >= streamsPerUser) return undefined;
      const stream = new PassThrough();
      streams.set(userId, open.add(stream));
      stream.on('close', () => {
        open.delete(stream);
        if (open.size === 0) streams.delete(userId);
      });
      stream.write('retry: 2000\n\nevent: changed\ndata: {}\n\n');
      return stream;
    },
    tell: (userId) => each([streams.get(userId) ?? new Set()], 'event: changed\ndata: {}\n\n'),
    close() {
      clearInterval(heartbeat);
      for (const set of streams.values()) for (const stream of set) stream.end();
    },
  };
}
