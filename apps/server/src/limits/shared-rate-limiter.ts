/**
 * Limits that several nodes share (SRV-9): the windows lie in Redis. Each node also counts by itself. During an outage of Redis the
 * node's own count decides, so that a limit neither delays a call for long nor goes away.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '@opencashier/core/time/clock';
import type { Redis } from 'ioredis';
import type { Logger } from '../observability/logger.ts';
import { createRateLimiter, type RateLimiter, secondsOf } from './rate-limiter.ts';

/** The longest time that a call waits for Redis, in ms. */
const answerWithinMs = 50;
/** How long a node does not ask Redis after Redis did not answer, in ms. */
const restMs = 1_000;

// One atomic step: two nodes cannot both take the last use, and every count gets its end.
const countUse = `local used = redis.call('incr', KEYS[1])
local left = redis.call('pttl', KEYS[1])
if left < 0 then redis.call('pexpire', KEYS[1], ARGV[1]) left = tonumber(ARGV[1]) end
return {used, left}`;

/** @param redis a connection from {@link limiterConnection}, which fails instead of waiting */
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
      // A key over the limit at this node is over the shared limit, too.
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

/** A second connection besides the one for pushes. It fails at once, while the other waits until Redis is back. */
export function limiterConnection(redis: Redis, logger: Logger): Redis {
  const connection = redis.duplicate({
    commandTimeout: answerWithinMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  });
  connection.on('error', (error) => logger.debug({ err: error }, 'redis of the limits'));
  return connection;
}

/** A key holds a user or an address, which must not be readable in Redis. */
function nameOf(key: string): string {
  return `cashier:limit:${createHash('sha256').update(key).digest('base64url')}`;
}
