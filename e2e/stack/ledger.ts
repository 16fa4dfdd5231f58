/** Reads the ledger by SQL, without the cashier's own code. */
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import type { Stack } from './stack.ts';

type Ask = <Row>(sql: string) => Promise<Row[]>;

/**
 * Runs SQL on the stack's database. Only one process can open the embedded database, so the cashier is stopped first and stays
 * stopped.
 */
export async function withDatabase<Result>(stack: Stack, work: (ask: Ask) => Promise<Result>): Promise<Result> {
  if (stack.databaseUrl) {
    const client = new pg.Client({ connectionString: stack.databaseUrl });
    await client.connect();
    try {
      return await work(async (sql) => (await client.query(sql)).rows);
    } finally {
      await client.end();
    }
  }
  await stack.stopCashier();
  const database = await PGlite.create(`file://${stack.dataFolder}/${embeddedFolder}`);
  try {
    return await work(async <Row>(sql: string) => (await database.query<Row>(sql)).rows);
  } finally {
    await database.close();
  }
}

const embeddedFolder = 'database';
