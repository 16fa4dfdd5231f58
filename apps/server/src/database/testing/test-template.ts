/**
 * A database that is created once and copied for each test file. A changed schema file causes a new one.
 * There are fifty test files. Creating an embedded database takes three seconds of a core, and half a second on PostgreSQL.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { openDatabase } from '../connection/open-database.ts';
import { schema } from '../schema-files.ts';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const cache = join(root, '.cache/embedded-databases');
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Journal kinds for tests that credit and debit money without a payment. No other database has them. */
export const TEST_JOURNAL_KINDS = `
  alter table journal_kind disable trigger journal_kind_immutable;
  insert into journal_kind (kind, credits_user, takes_frozen) values ('test', true, true), ('test_credit', true, true),
    ('test_spend', true, true), ('test_transfer', true, true);
  alter table journal_kind enable trigger journal_kind_immutable`;

/** Fills an empty data folder with a migrated, empty database. */
export async function copyTemplate(dataDir: string): Promise<void> {
  // The lock file is part of the version, because another PGlite version stores its files differently.
  // Its partitions reach some months ahead, so a template of another month is too old.
  const month = new Date().toISOString().slice(0, 7);
  const template = join(cache, `${month}-${versionOf(readFileSync(join(root, 'package-lock.json')))}`);
  if (!existsSync(template)) await makeTemplate(template);
  cpSync(template, dataDir, { recursive: true });
}

async function makeTemplate(template: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(`${template}-`);
  const database = await openDatabase({ dataDir: folder, logger: silent });
  await database.query({ text: TEST_JOURNAL_KINDS });
  await database.close();
  try {
    renameSync(folder, template);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    // Two test files may start at once. The first has created the template for both.
    if (!existsSync(template)) throw error;
  }
}

/** The name of a migrated, empty database on a server. It is created if missing, and kept for later test files. */
export async function postgresTemplate(serverUrl: string): Promise<string> {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '');
  const name = `cashier_template_${day}_${versionOf('')}`;
  await onServer(serverUrl, async (client) => {
    // Two test files may start at once. The first creates the template for both.
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('select from pg_database where datname = $1 and datistemplate', [name]);
    if (rowCount !== 0) return;
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}`);
    const database = await openDatabase({
      databaseUrl: databaseUrlOf(serverUrl, name),
      dataDir: cache,
      logger: silent,
    });
    await database.query({ text: TEST_JOURNAL_KINDS });
    await database.close();
    await client.query(`alter database ${name} is_template true`);
  });
  return name;
}

export function databaseUrlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Connects to the database in the server's address, on a connection of its own. */
export async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function versionOf(program: string | Uint8Array): string {
  const hash = createHash('sha256').update(program).update(TEST_JOURNAL_KINDS);
  for (const { name, sql } of [...schema.baseline, ...schema.migrations]) hash.update(`${name}\n${sql}\n`);
  return hash.digest('hex').slice(0, 16);
}
