/**
 * Limits of callbacks (SRV-9). No signed callback is lost: over the limit the server answers when the provider may send it again.
 * Unsigned callbacks do not count towards that limit. An address that sends many is refused before anything is read.
 */
import type { Clock } from '@opencashier/core/time/clock';
import { minuteMs } from './call-limits.ts';
import type { RateLimiter } from './rate-limiter.ts';

/**
 * Signed callbacks of one provider in a minute, over all nodes: 5,000 a second. It ends a loop at a provider before that fills a disk,
 * and is above what the nodes of one database apply. Lanes share the server: a flood of one provider takes the places of no other
 * provider. An operator cannot have a limit here, because a callback is stored before it is read.
 */
export const callbacksPerMinute = 300_000;
/** Unsigned callbacks of one address in a minute, at one node. */
export const unsignedPerMinute = 120;
/** How long an address is trusted after a good signature, so that forgeries through the same proxy do not block the provider. */
const knownForMs = 3_600_000;
/** The most addresses that are remembered. Callbacks of further addresses are all verified, which costs more and is as safe. */
const mostAddresses = 10_000;

export interface CallbackLimits {
  /** @returns the seconds for which callbacks of this address are refused unread; 0: they are read */
  secondsRefused(address: string): number;
  /** Counts a callback whose signature is good. @returns 0, or the seconds after which the provider may send it again */
  takeSigned(provider: string, address: string): Promise<number>;
  noteUnsigned(address: string): void;
}

export function createCallbackLimits(limiter: RateLimiter, clock: Pick<Clock, 'now'>): CallbackLimits {
  const closed = rememberedUntil(clock);
  const known = rememberedUntil(clock);
  return {
    secondsRefused: (address) => (known.leftMs(address) > 0 ? 0 : Math.ceil(closed.leftMs(address) / 1000)),
    async takeSigned(provider, address) {
      known.remember(address, knownForMs);
      return limiter.take(`callbacks ${provider}`, callbacksPerMinute, minuteMs);
    },
    noteUnsigned(address) {
      const wait = limiter.takeHere(`unsigned callbacks ${address}`, unsignedPerMinute, minuteMs);
      if (wait > 0) closed.remember(address, wait * 1000);
    },
  };
}

function rememberedUntil(clock: Pick<Clock, 'now'>) {
  const ends = new Map<string, number>();
  const leftMs = (name: string): number => Math.max(0, (ends.get(name) ?? 0) - clock.now());
  return {
    leftMs,
    remember(name: string, forMs: number): void {
      if (ends.size >= mostAddresses && !ends.has(name)) {
        for (const old of ends.keys()) if (leftMs(old) === 0) ends.delete(old);
        if (ends.size >= mostAddresses) return;
      }
      ends.set(name, clock.now() + forMs);
    },
  };
}
