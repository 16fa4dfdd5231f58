/**
 * Limits that several nodes have in common (SRV-9): the windows lie in Redis. Each node counts for itself too; while Redis is
 * away or slow that count alone decides, so that a limit never costs a call more than a moment and is never lifted.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '@opencashier/core/time/clock';
import type { Redis } from 'ioredis';
import type { Logger } from '../observability/logger.ts';
import { createRateLimiter, type RateLimiter, secondsOf } from './rate-limiter.ts';

/** How long a call waits for Redis at most, in ms. */
const answerWithinMs = 50;
/** After Redis did not answer it is left in peace for so long, in ms. */
const restMs = 1_000;

// One step, so that no two nodes take the last use, and no count is left without an end.
const countUse = `local used = redis.call('incr', KEYS[1])
local left = redis.call('pttl', KEYS[1])
if left < 0 then redis.call('pexpire', KEYS[1], ARGV[1]) left = tonumber(ARGV[1]) end
return {used, left}`;

/** @param redis a connection of its own, as of {@link limiterConnection}: it must fail instead of wait */
export function createSharedRateLimiter(
  redis: Pick<Redis, 'eval'>,
  { clock, logger }: { readonly clock: Pick<Clock, 'now'>; readonly logger: Logger },
): RateLimiter {
  const own = createRateLimiter(clock);
  let restsUntil = Number.NEGATIVE_INFINITY;
  return {
    takeHere: own.takeHere,
    async take(key, limit, windowMs) {
      const wait = own.takeHere(key, limit, windowMs);
      // Who is over the limit on one node is over it on all.
      if (wait > 0 || clock.now() < restsUntil) return wait;
      try {
        const [used, leftMs] = (await redis.eval(countUse, 1, nameOf(key), windowMs)) as [number, number];
        return used <= limit ? 0 : secondsOf(leftMs);
      } catch (error) {
        if (clock.now() >= restsUntil)
          logger.warn({ err: error }, 'limits are counted per node: Redis does not answer');
        restsUntil = clock.now() + restMs;
        return wait;
      }
    },
  };
}

/** A second connection beside the one for pushes: one that gives up at once, where the other waits for Redis to come back. */
export function limiterConnection(redis: Redis, logger: Logger): Redis {
  const connection = redis.duplicate({
    commandTimeout: answerWithinMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  });
  connection.on('error', (error) => logger.debug({ err: error }, 'redis of the limits'));
  return connection;
}

/** A key names a user or an address; Redis need not know whose. */
function nameOf(key: string): string {
  return `cashier:limit:${createHash('sha256').update(key).digest('base64url')}`;
}
