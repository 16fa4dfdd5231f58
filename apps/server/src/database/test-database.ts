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
import { copyTemplate } from './test-template.ts';

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
  const place = await makeTestPlace();
  const database = await openDatabase({ ...place, logger: silentLogger });
  return {
    database,
    async drop() {
      await database.close();
      await place.remove();
    },
  };
}

export interface TestPlace {
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  remove(): Promise<void>;
}

/** Where a database may be, for tests of what opens it by itself: an empty folder, or an empty database of the server. */
export async function makeTestPlace(): Promise<TestPlace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cashier-'));
  await copyTemplate(dataDir);
  const removeFolder = () => rmSync(dataDir, { recursive: true, force: true });
  if (process.env['TEST_DATABASE'] !== 'postgres') {
    return { databaseUrl: undefined, dataDir, remove: async () => removeFolder() };
  }
  const serverUrl = process.env['DATABASE_URL'];
  if (!serverUrl) throw new Error('TEST_DATABASE=postgres needs DATABASE_URL');
  const name = `cashier_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    databaseUrl: url.href,
    dataDir,
    async remove() {
      removeFolder();
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
