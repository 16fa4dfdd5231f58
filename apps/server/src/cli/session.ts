/** One run of the program: its settings, its database and its exit code. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '../config/config.ts';
import { settingOf } from '../config/secret-files.ts';
import type { Database } from '../database/database.ts';
import { FolderInUseError } from '../database/embedded/folder-lock.ts';
import type { DatabaseLogger } from '../database/embedded/open-embedded.ts';
import { migrate } from '../database/migrate.ts';
import { schemaState } from '../database/schema-state.ts';
import { cellDatabasesOf } from './cells.ts';
import { CommandError, explain, type Session, type Surroundings } from './command.ts';

type DatabasePlace = Pick<Config, 'databaseUrl' | 'dataDir'>;

/** @returns the session, and a function that reads its exit code: 0 until a command sets another */
export function createSession(surroundings: Surroundings): { session: Session; exitCode: () => number } {
  let code = 0;
  let known: Config | undefined;
  const config = (): Config => {
    known ??= readConfig(surroundings.environment);
    return known;
  };
  const session: Session = {
    ...surroundings,
    config,
    exitWith: (next) => {
      code = next;
    },
    withDatabase: async (work, { mayCreate = false, asOwner = false } = {}) => {
      const place = asOwner ? ownersPlace(config(), surroundings) : config();
      code = await inDatabase(place, surroundings, mayCreate, work);
    },
    withEachCell: async (work) => {
      const cells = cellDatabasesOf(surroundings.environment);
      const silent: string[] = [];
      for (const { name, url } of cells) {
        const settings = { databaseUrl: url, dataDir: config().dataDir };
        await inDatabase(settings, surroundings, false, (database) => work(database, name)).catch((error: unknown) => {
          silent.push(name);
          surroundings.output.error(`Cell ${name} was not searched: ${explain(error)}`);
        });
      }
      if (cells.length === 0) await inDatabase(config(), surroundings, false, (database) => work(database, undefined));
      return silent;
    },
  };
  return { session, exitCode: () => code };
}

/** Without `DATABASE_OWNER_URL` the application's role owns the tables. */
function ownersPlace({ databaseUrl, dataDir }: DatabasePlace, { environment }: Surroundings): DatabasePlace {
  const ownerUrl = settingOf(environment, 'DATABASE_OWNER_URL');
  if (ownerUrl !== undefined && !URL.canParse(ownerUrl))
    throw new CommandError('DATABASE_OWNER_URL must be an address.');
  return { databaseUrl: databaseUrl && (ownerUrl ?? databaseUrl), dataDir };
}

async function inDatabase<Value>(
  place: DatabasePlace,
  surroundings: Surroundings,
  mayCreate: boolean,
  work: (database: Database) => Promise<Value>,
): Promise<Value> {
  const database = await openFor(place, surroundings, mayCreate);
  try {
    await prepareTables(database, mayCreate);
    return await work(database);
  } finally {
    await database.close();
  }
}

async function openFor(
  { databaseUrl, dataDir }: DatabasePlace,
  { open, output }: Surroundings,
  mayCreate: boolean,
): Promise<Database> {
  if (databaseUrl === undefined && !mayCreate && !existsSync(join(dataDir, 'database'))) {
    throw new CommandError(`There is no database in ${dataDir}. Set DATA_DIR, or run create-operator first.`);
  }
  const logger: DatabaseLogger = {
    info: () => undefined,
    error: () => output.error('The connection to the database was lost.'),
  };
  try {
    return await open({ databaseUrl, dataDir, logger });
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    throw new CommandError(
      `A running cashier uses the embedded database in ${dataDir}. Stop it first, or use its operator API.`,
      { cause: error },
    );
  }
}

/**
 * Creates the tables of an empty database if the command may. It never upgrades a database of an older build, because other nodes may
 * still run that build.
 */
async function prepareTables(database: Database, mayCreate: boolean): Promise<void> {
  const { applied, missing, unknown, former } = await schemaState(database);
  if (former !== undefined) throw new CommandError(former);
  if (unknown.length > 0) {
    throw new CommandError(`The database is newer than this build: it has ${unknown.join(', ')}. Use a newer build.`);
  }
  if (missing.length === 0) return;
  if (applied > 0 || !mayCreate) {
    const found = applied > 0 ? `lacks ${missing.length} migrations of this build` : 'is empty';
    throw new CommandError(`The database ${found}: start the cashier first.`);
  }
  await migrate(database);
}
