/** Values that outlive a reload of this tab (HOST-9). When the browser refuses storage to a framed page, each has its default. */
import * as v from 'valibot';
import type { Region } from '../../kit/session/services.tsx';

/** The stored fields of a user: nothing secret, and nothing that identifies the person (HOST-10). */
const storedUserSchema = v.object({
  id: v.optional(v.pipe(v.string(), v.maxLength(256))),
  currency: v.optional(v.pipe(v.string(), v.regex(/^[A-Z0-9]{2,10}$/))),
  locale: v.optional(v.pipe(v.string(), v.maxLength(35))),
  platform: v.optional(v.pipe(v.string(), v.maxLength(32))),
});
export type StoredUser = v.InferOutput<typeof storedUserSchema>;

export interface SessionMemory {
  /** `'0'` unless something else was stored. */
  forceLogging(): boolean;
  setForceLogging(on: boolean): void;
  /** Undefined for anything but `socket` and `http`. */
  transport(): 'socket' | 'http' | undefined;
  setTransport(transport: 'socket' | 'http'): void;
  user(): StoredUser | undefined;
  /** Keeps the listed fields and drops the rest. */
  setUser(user: unknown): StoredUser | undefined;
  /** The region that the person chose in place of the host's; undefined when the host's region has changed since (NAV-7). */
  region(hosts: Region): Region | undefined;
  setRegion(hosts: Region, chosen: Region): void;
}

type Area = Pick<Storage, 'getItem' | 'setItem'>;

/** @param area is called for each access, because reading `sessionStorage` itself throws where storage is blocked */
export function createSessionMemory(area: () => Area): SessionMemory {
  const read = (key: string): string | undefined => {
    try {
      return area().getItem(key) ?? undefined;
    } catch (error) {
      if (error instanceof DOMException) return undefined;
      throw error;
    }
  };
  const write = (key: string, value: string): void => {
    try {
      area().setItem(key, value);
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
  };
  return {
    forceLogging: () => (read('force_logging') ?? '0') === '1',
    setForceLogging: (on) => write('force_logging', on ? '1' : '0'),
    transport() {
      const stored = read('transport');
      return stored === 'socket' || stored === 'http' ? stored : undefined;
    },
    setTransport: (transport) => write('transport', transport),
    user() {
      const stored = read('user');
      if (stored === undefined) return undefined;
      try {
        return readUser(JSON.parse(stored));
      } catch (error) {
        if (error instanceof SyntaxError) return undefined;
        throw error;
      }
    },
    region(hosts) {
      const [, from, country, currency] =
        /^([A-Z]{2} [A-Z0-9]{2,10}) ([A-Z]{2}) ([A-Z0-9]{2,10})$/.exec(read('region') ?? '') ?? [];
      if (from !== wordOf(hosts) || country === undefined || currency === undefined) return undefined;
      return { country, currency };
    },
    setRegion: (hosts, chosen) => write('region', `${wordOf(hosts)} ${wordOf(chosen)}`),
    setUser(user) {
      const kept = readUser(user);
      if (kept) write('user', JSON.stringify(kept));
      return kept;
    },
  };
}

const wordOf = ({ country, currency }: Region): string => `${country} ${currency}`;

function readUser(value: unknown): StoredUser | undefined {
  const parsed = v.safeParse(storedUserSchema, value);
  return parsed.success ? parsed.output : undefined;
}
