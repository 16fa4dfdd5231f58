import { createTestClock } from '@opencashier/core/time/test-clock';
import pg from 'pg';
import { expect, test } from 'vitest';
import { ConfigError } from '../errors/config-error.ts';
import type { Database, Statement } from './database.ts';
import { migrate } from './migrate.ts';

/** A database whose lock another node holds until this node has waited long enough. */
function lockedDatabase(statements: string[]): Database {
  const query = async <Row>({ text }: Statement): Promise<Row[]> => {
    statements.push(text);
    if (text.includes('pg_try_advisory_xact_lock')) return [{ taken: false }] as Row[];
    if (!text.includes('pg_advisory_xact_lock')) return [];
    const error = new pg.DatabaseError('canceling statement due to lock timeout', 0, 'error');
    error.code = '55P03';
    throw error;
  };
  return {
    kind: 'postgres',
    query,
    transaction: (work) => work({ isTransaction: true, query }),
    ping: async () => undefined,
    close: async () => undefined,
  };
}

test('[SRV-7] a node reports that it waits for another node’s migrations, and gives up with one line', async () => {
  const statements: string[] = [];
  const lines: string[] = [];
  const waiting = migrate(lockedDatabase(statements), undefined, { logger: { info: (_, line) => lines.push(line) } });
  await expect(waiting).rejects.toThrow(ConfigError);
  await expect(waiting).rejects.toThrow('Another node has been migrating the database for 15 minutes');
  expect(lines).toEqual(['another node migrates the database: waiting for it']);
  expect(statements.slice(0, 3), 'bounds are set before anything waits').toEqual([
    'set local statement_timeout = 0',
    'set local idle_in_transaction_session_timeout = 0',
    `set local lock_timeout = '15min'`,
  ]);
});

test('[SRV-7] a migration that waits for a table in use gives way to the nodes, tries again, and ends after 15 minutes', async () => {
  const clock = createTestClock();
  const lines: string[] = [];
  let tries = 0;
  const inUse = (until: number): Database => ({
    ...lockedDatabase([]),
    transaction: async <Result>() => {
      tries += 1;
      if (tries < until) throw Object.assign(new pg.DatabaseError('lock timeout', 0, 'error'), { code: '55P03' });
      return ['0001_next'] as Result;
    },
  });
  const options = { clock, logger: { info: (_: object, line: string) => lines.push(line) } };
  const migrated = migrate(inUse(3), undefined, options);
  await clock.advanceAsync(5_000);
  await clock.advanceAsync(5_000);
  expect(await migrated).toEqual(['0001_next']);
  expect(lines).toEqual(Array(2).fill('a long transaction uses a table of the migration: trying again'));

  const ended = migrate(inUse(Number.POSITIVE_INFINITY), undefined, options);
  const refused = expect(ended).rejects.toThrow(
    'has used a table of the migration for 15 minutes. Nothing was changed.',
  );
  for (let waited = 0; waited <= 15 * 60_000; waited += 5_000) await clock.advanceAsync(5_000);
  await refused;
});
