/**
 * A database of a test file's own: embedded in a temporary folder, or, with TEST_DATABASE=postgres, a fresh database on the
 * server that DATABASE_URL names. Gone when the file is done.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';
import type { DatabaseLogger } from './open-embedded.ts';

export interface TestDatabase {
  readonly database: Database;
  /** Closes and removes it. */
  drop(): Promise<void>;
}

export const silentLogger: DatabaseLogger & { warn(fields: object, message: string): void } = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export async function openTestDatabase(): Promise<TestDatabase> {
  return process.env['TEST_DATABASE'] === 'postgres' ? openOnPostgres() : openInFolder();
}

async function openInFolder(): Promise<TestDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cashier-'));
  const database = await openDatabase({ dataDir, logger: silentLogger });
  return {
    database,
    async drop() {
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function openOnPostgres(): Promise<TestDatabase> {
  const serverUrl = process.env['DATABASE_URL'];
  if (!serverUrl) throw new Error('TEST_DATABASE=postgres needs DATABASE_URL');
  const name = `cashier_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const database = await openDatabase({ databaseUrl: url.href, dataDir: '', logger: silentLogger });
  return {
    database,
    async drop() {
      await database.close();
      await onServer(serverUrl, `drop database ${name} with (force)`);
    },
  };
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
