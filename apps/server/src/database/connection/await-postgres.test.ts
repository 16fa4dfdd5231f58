import { createTestClock } from '@opencashier/core/time/test-clock';
import pg from 'pg';
import { expect, test } from 'vitest';
import { awaitPostgres, withTableRights } from './await-postgres.ts';

const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' });

function refusal(code: string, message: string): Error {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code });
}

/** A database that fails in these ways, one per try, and then answers. With `isForEver` the last failure stays. */
function bench(failures: readonly Error[], isForEver = false) {
  const clock = createTestClock();
  const lines: { at: number; fields: object }[] = [];
  const startedAt = clock.now();
  let tries = 0;
  const database = {
    async ping() {
      const failure = failures[tries] ?? (isForEver ? failures.at(-1) : undefined);
      tries += 1;
      if (failure) throw failure;
    },
  };
  const logger = {
    info: () => undefined,
    error: (fields: object) => void lines.push({ at: clock.now() - startedAt, fields }),
  };
  const outcome = awaitPostgres(database, { clock, logger }).then(
    () => 'ready',
    (error: Error) => `${error.name}: ${error.message}`,
  );
  return { clock, lines, outcome, tries: () => tries };
}

test('[SRV-7] the server waits for a database that starts late, with a log line every 5 seconds', async () => {
  const starting = refusal('57P03', 'the database system is starting up');
  const slow = new Error('timeout exceeded when trying to connect');
  const { clock, lines, outcome, tries } = bench([refused, starting, slow]);
  await clock.advanceAsync(15_000);
  expect(await outcome).toBe('ready');
  expect(tries()).toBe(4);
  expect(lines.map(({ at }) => at)).toEqual([0, 5_000, 10_000]);
  expect(lines[0]?.fields).toEqual({ code: 'ECONNREFUSED' });
});

test('[SRV-7] a database that stays away ends the start after 30 seconds with one line', async () => {
  const { clock, lines, outcome } = bench([refused], true);
  await clock.advanceAsync(30_000);
  expect(await outcome).toBe('ConfigError: DATABASE_URL: PostgreSQL has not answered for 30 seconds (ECONNREFUSED).');
  expect(lines.map(({ at }) => at)).toEqual([0, 5_000, 10_000, 15_000, 20_000, 25_000]);
});

test.each([
  refusal('3D000', 'database "cashier" does not exist'),
  refusal('28000', 'role "cashier" does not exist'),
  refusal('28P01', 'password authentication failed for user "cashier"'),
  new Error('The server does not support SSL connections'),
])('[SRV-7] a permanent error ends the start at once: %s', async (error) => {
  const { lines, outcome, tries } = bench([error], true);
  expect(await outcome).toBe(`ConfigError: DATABASE_URL cannot be used: ${error.message}.`);
  expect([tries(), lines.length]).toEqual([1, 0]);
});

test('[SRV-7] a role that may not create tables is reported by its setting, and other errors stay unchanged', async () => {
  const denied = refusal('42501', 'permission denied for schema public');
  await expect(withTableRights(() => Promise.reject(denied))).rejects.toThrow(
    'DATABASE_URL must name a role that may create tables: permission denied for schema public.',
  );
  const other = refusal('42601', 'syntax error');
  await expect(withTableRights(() => Promise.reject(other))).rejects.toBe(other);
});
