/** The technical parts that everything else stands on: clock, database, traces, Redis, limits of requests. */
import { type Clock, systemClock } from '@opencashier/core/time/clock';
import { Redis } from 'ioredis';
import type { Config } from '../config/config.ts';
import { openDatabase } from '../database/connection/open-database.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema-files.ts';
import { serveDatabase } from '../database/served/serve-database.ts';
import { createRateLimiter, type RateLimiter, unlimited } from '../limits/rate-limiter.ts';
import { createSharedRateLimiter, limiterConnection } from '../limits/shared-rate-limiter.ts';
import { notedDatabase } from '../observability/committed-notes.ts';
import type { Logger } from '../observability/logger.ts';
import { createMetrics, type Metrics } from '../observability/metrics.ts';
import { noSpans, type Spans } from '../observability/spans.ts';
import { tracedDatabase } from '../observability/traced-database.ts';
import { followClock } from '../sandbox-clock/followed-clock.ts';
import { keepMoved, refuseMovedClock } from '../sandbox-clock/move-clock.ts';
import type { Closers } from './closers.ts';

export interface Foundations {
  readonly logger: Logger;
  /** In a sandbox it can be moved ahead. */
  readonly clock: Clock;
  /** The machine's time, which others see: for signatures, limits and what only this process measures. */
  readonly machineClock: Clock;
  /** Runs the work after each move of the clock. */
  readonly onClockMove: (run: () => void) => void;
  readonly database: Database;
  readonly spans: Spans;
  readonly metrics: Metrics;
  /** Absent: this node works alone. */
  readonly redis: Redis | undefined;
  readonly limiter: RateLimiter;
}

export interface FoundationOptions {
  readonly logger: Logger;
  readonly clock?: Clock;
  /** An open database instead of the one that the settings name; it is not closed with the server. */
  readonly database?: Database;
  /** Absent: the schema of this build. */
  readonly schema?: Schema;
}

/** @throws ConfigError, or the database's own error when it cannot be opened */
export async function openFoundations(
  config: Config,
  { logger, clock: machineClock = systemClock, database: given, schema }: FoundationOptions,
  closers: Closers,
): Promise<Foundations> {
  const { databaseUrl, dataDir } = config;
  const clock = machineClock;
  const hasMovableClock = isClockMovable(config);
  const opened = given ?? (await openDatabase({ databaseUrl, dataDir, logger, clock, schema, hasMovableClock }));
  if (!given) {
    closers.add(() => opened.close());
    if (opened.kind === 'embedded') {
      const served = await serveDatabase(opened, { dataDir, clock, logger });
      closers.add(() => served?.stop());
    }
  }
  const spans = await createSpans(config, logger);
  closers.add(() => spans.stop());
  const metrics = createMetrics();
  const { measure } = metrics;
  const database = notedDatabase(spans === noSpans ? opened : tracedDatabase(opened, spans), { logger, measure });
  const redis = config.redisUrl === undefined ? undefined : connectRedis(config.redisUrl, logger);
  if (redis) closers.add(() => redis.quit());
  const limiter = createLimiter(config, redis, { clock, logger, closers });
  const followed = await clockOf(database, { machineClock, hasMovableClock, logger, closers });
  return { logger, machineClock, ...followed, database, spans, metrics, redis, limiter };
}

/**
 * Whether the settings allow that the time is moved: a sandbox, and no provider that has a time of its own. With a master key an
 * operator may connect such a provider at any moment.
 */
export function isClockMovable({
  isSandbox,
  stripe,
  cryptoFile,
  providersFile,
  masterKeys,
}: Pick<Config, 'isSandbox' | 'stripe' | 'cryptoFile' | 'providersFile' | 'masterKeys'>) {
  const hasOwnTime = stripe !== undefined || cryptoFile !== undefined || providersFile !== undefined;
  return isSandbox && !hasOwnTime && masterKeys.length === 0;
}

/** @throws ConfigError where the clock was moved, but must be true */
async function clockOf(
  database: Database,
  parts: Pick<Foundations, 'machineClock' | 'logger'> & {
    readonly hasMovableClock: boolean;
    readonly closers: Closers;
  },
): Promise<Pick<Foundations, 'clock' | 'onClockMove'>> {
  const { machineClock, hasMovableClock, logger, closers } = parts;
  if (!hasMovableClock) {
    await refuseMovedClock(database);
    return { clock: machineClock, onClockMove: () => undefined };
  }
  await keepMoved(database);
  const clock = await followClock(database, machineClock, (error) => {
    logger.warn({ err: error }, 'the clock of the sandbox could not be read again');
  });
  closers.add(() => clock.stop());
  return { clock, onClockMove: clock.onMove };
}

/** Imports the SDK of traces only where traces are wanted, since it is large. */
async function createSpans({ tracing }: Config, logger: Logger): Promise<Spans> {
  if (tracing === undefined) return noSpans;
  const { openTelemetrySpans } = await import('../observability/open-telemetry.ts');
  return openTelemetrySpans(tracing, logger);
}

function connectRedis(redisUrl: string, logger: Logger): Redis {
  // Without a limit of retries a command waits until the connection is back, instead of failing.
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  redis.on('error', (error) => logger.warn({ err: error }, 'redis'));
  return redis;
}

function createLimiter(
  { hasRateLimits }: Pick<Config, 'hasRateLimits'>,
  redis: Redis | undefined,
  parts: { readonly clock: Clock; readonly logger: Logger; readonly closers: Closers },
): RateLimiter {
  if (!hasRateLimits) return unlimited;
  if (redis === undefined) return createRateLimiter(parts.clock);
  const connection = limiterConnection(redis, parts.logger);
  parts.closers.add(() => connection.disconnect());
  return createSharedRateLimiter(connection, parts);
}
