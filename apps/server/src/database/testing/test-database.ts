/**
 * A separate database for a test file, copied from a migrated one and removed afterwards. Embedded in a temporary
 * folder, or with TEST_DATABASE=postgres on the server of DATABASE_URL.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWithoutMigration } from '../connection/open-database.ts';
import type { Database } from '../database.ts';
import { type DatabaseLogger, openEmbedded } from '../embedded/open-embedded.ts';
import { refusingSecondConnections } from './one-connection.ts';
import { copyTemplate, databaseUrlOf, onServer, postgresTemplate } from './test-template.ts';

export interface TestDatabase {
  readonly database: Database;
  /** Closes and removes the database. */
  drop(): Promise<void>;
}

export const silentLogger: DatabaseLogger & { warn(fields: object, message: string): void } = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export interface TestDatabaseOptions {
  /** Whether PostgreSQL may use a second connection inside a transaction, for code and tests that do so there alone. */
  readonly mayUseSecond?: boolean;
}

/**
 * A database with the schema of this build. It is a copy, so opening it without a migration works like in a server. On PostgreSQL it
 * refuses what would wait for ever on the embedded database.
 */
export async function openTestDatabase({ mayUseSecond = false }: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const place = await makePlace(copyTemplate, postgresTemplate);
  const opened = place.databaseUrl
    ? await openWithoutMigration({ ...place, logger: silentLogger })
    : await openEmbedded({ ...place, logger: silentLogger }, { isDisposable: true });
  let refused = 0;
  const noteRefusal = (): void => {
    refused += 1;
  };
  const database = mayUseSecond ? opened : refusingSecondConnections(opened, noteRefusal);
  return {
    database,
    async drop() {
      await database.close();
      await place.remove();
      if (refused > 0) throw new Error(`Code asked ${refused} times for a second connection inside a transaction`);
    },
  };
}

/** A database without tables, for tests of the schema itself. */
export async function openEmptyTestDatabase(): Promise<TestDatabase> {
  const opened = await openTestDatabase();
  // This takes a tenth of the time that a new embedded database takes.
  await opened.database.query({ text: 'drop schema public cascade; create schema public' });
  return opened;
}

export interface TestPlace {
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  /** The settings that name this database. */
  readonly environment: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** A place for tests that create a database: an empty folder, or an empty database of the server. */
export function makeTestPlace(): Promise<TestPlace> {
  return makePlace(
    async () => undefined,
    async () => undefined,
  );
}

async function makePlace(
  fill: (dataDir: string) => Promise<void>,
  templateOn: (serverUrl: string) => Promise<string | undefined>,
): Promise<TestPlace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cashier-'));
  const removeFolder = () => rmSync(dataDir, { recursive: true, force: true });
  if (process.env['TEST_DATABASE'] !== 'postgres') {
    await fill(dataDir);
    return {
      databaseUrl: undefined,
      dataDir,
      environment: { DATA_DIR: dataDir },
      remove: async () => removeFolder(),
    };
  }
  const serverUrl = process.env['DATABASE_URL'];
  if (!serverUrl) throw new Error('TEST_DATABASE=postgres needs DATABASE_URL');
  const name = `cashier_test_${randomUUID().replaceAll('-', '')}`;
  const template = await templateOn(serverUrl);
  await onServer(serverUrl, (client) =>
    client.query(`create database ${name}${template ? ` template ${template}` : ''}`),
  );
  const databaseUrl = databaseUrlOf(serverUrl, name);
  return {
    databaseUrl,
    dataDir,
    environment: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl },
    async remove() {
      removeFolder();
      await onServer(serverUrl, (client) => client.query(`drop database ${name} with (force)`));
    },
  };
}
