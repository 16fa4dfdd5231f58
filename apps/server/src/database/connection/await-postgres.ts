/** Waits at the start for a PostgreSQL server that is still starting. Explains in one line why it cannot be used. */

import type { Clock } from '@opencashier/core/time/clock';
import { pause } from '@opencashier/core/time/pause';
import { ConfigError } from '../../errors/config-error.ts';
import type { DatabaseLogger } from '../embedded/open-embedded.ts';
import { sqlStateOf } from '../pool-database.ts';

const waitMs = 30_000;
const lineEveryMs = 5_000;

/** SQLSTATE of a server that starts, stops or has no free connection. It may answer later. */
const passing = new Set(['57P01', '57P02', '57P03', '53300']);
const network = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EPIPE',
]);
const driverMessage = /timeout|terminated/i;

/**
 * Returns when the database answers. While a temporary problem lasts, a line is logged every 5 s, for 30 s.
 * @throws ConfigError that names DATABASE_URL: no answer, unknown database or role, a wrong password, no TLS
 */
export async function awaitPostgres(
  database: { ping(): Promise<void> },
  { clock, logger }: { readonly clock: Clock; readonly logger: DatabaseLogger },
): Promise<void> {
  const startedAt = clock.now();
  for (;;) {
    const triedAt = clock.now();
    try {
      return await database.ping();
    } catch (error) {
      if (!mayPass(error)) throw new ConfigError([`DATABASE_URL cannot be used: ${reasonOf(error)}.`]);
      if (clock.now() - startedAt >= waitMs) {
        throw new ConfigError([`DATABASE_URL: PostgreSQL has not answered for 30 seconds (${reasonOf(error)}).`]);
      }
      logger.error({ code: reasonOf(error) }, 'waiting for the database of DATABASE_URL');
      await pause(clock, Math.min(triedAt + lineEveryMs, startedAt + waitMs) - clock.now());
    }
  }
}

function mayPass(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state !== undefined) return passing.has(state);
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return typeof code === 'string' ? network.has(code) : driverMessage.test(String(message));
}

/** PostgreSQL's message names the role or the database, and never contains a password. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (sqlStateOf(error) !== undefined) return String(message);
  return typeof code === 'string' ? code : String(message).replace(/\.$/, '');
}

/** Adds a hint to a missing right. Whether the role may create and change tables is known only when it tries. */
export async function withTableRights<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (sqlStateOf(error) !== '42501') throw error;
    throw new ConfigError([`DATABASE_URL must name a role that may create tables: ${reasonOf(error)}.`]);
  }
}
