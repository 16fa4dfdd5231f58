/**
 * How many call-backs are taken (SRV-9). A signed one is never lost: over the limit it is not stored but told when to come again,
 * as providers do. Unsigned ones use up nothing of it, and who sends many is turned away before anything is read.
 */
import type { Clock } from '@opencashier/core/time/clock';
import { minuteMs } from './call-limits.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** Signed call-backs of one provider, over all nodes, in a minute: more than a provider sends, less than would fill a disk. */
export const callbacksPerMinute = 30_000;
/** Call-backs of one address in a minute, at one node, that no provider has signed. */
export const unsignedPerMinute = 120;
/** For so long an address is a provider's whose signature was good: forgeries from behind the same proxy do not close the door to it. */
const knownForMs = 3_600_000;
/** Beyond so many addresses no more are remembered: their call-backs are then looked at, which is dearer and as safe. */
const mostAddresses = 10_000;

export interface CallbackLimits {
  /** @returns the seconds for which nothing of this address is looked at; 0: it is */
  waitAtDoor(address: string): number;
  /** Counts a call-back whose signature is good. @returns 0, or the seconds after which the provider may send it again */
  takeSigned(provider: string, address: string): Promise<number>;
  noteUnsigned(address: string): void;
}

export function createCallbackLimits(limiter: RateLimiter, clock: Pick<Clock, 'now'>): CallbackLimits {
  const closed = rememberedUntil(clock);
  const known = rememberedUntil(clock);
  return {
    waitAtDoor: (address) => (known.leftMs(address) > 0 ? 0 : Math.ceil(closed.leftMs(address) / 1000)),
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
