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
  const waiting = migrate(lockedDatabase(statements), undefined, { info: (_, line) => lines.push(line) });
  await expect(waiting).rejects.toThrow(ConfigError);
  await expect(waiting).rejects.toThrow('Another node has been migrating the database for 15 minutes');
  expect(lines).toEqual(['another node migrates the database: waiting for it']);
  expect(statements.slice(0, 3), 'bounds are set before anything waits').toEqual([
    'set local statement_timeout = 0',
    'set local idle_in_transaction_session_timeout = 0',
    `set local lock_timeout = '15min'`,
  ]);
});
