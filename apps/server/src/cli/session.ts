/** One run of the program: its settings, its database and its exit code. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { FolderInUseError } from '../database/embedded/folder-lock.ts';
import { migrate } from '../database/migrate.ts';
import { schemaState } from '../database/schema-state.ts';
import { counted } from '../languages/counted.ts';
import { cellDatabasesOf } from './cells.ts';
import { CommandError, explain, type Session, type Surroundings, type WithDatabase } from './command.ts';
import { openingLogger, ownerUrlOf } from './opening.ts';

/** Whether a command may make the tables of an empty database, and a new database where none is. */
type Creation = Required<Pick<WithDatabase, 'mayCreate' | 'isNewAsked'>>;

const noCreation: Creation = { mayCreate: false, isNewAsked: false };

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
    withDatabase: async (work, { mayCreate = false, isNewAsked = false, asOwner = false } = {}) => {
      const place = asOwner ? ownersPlace(config(), surroundings) : config();
      code = await inDatabase(place, surroundings, { mayCreate, isNewAsked }, work);
    },
    withEachCell: async (work) => {
      const cells = cellDatabasesOf(surroundings.environment);
      const silent: string[] = [];
      for (const { name, url } of cells) {
        const settings = { databaseUrl: url, dataDir: config().dataDir };
        await inDatabase(settings, surroundings, noCreation, (database) => work(database, name)).catch(
          (error: unknown) => {
            silent.push(name);
            surroundings.output.error(`Cell ${name} was not searched: ${explain(error)}`);
          },
        );
      }
      if (cells.length === 0)
        await inDatabase(config(), surroundings, noCreation, (database) => work(database, undefined));
      return silent;
    },
  };
  return { session, exitCode: () => code };
}

/** Without `DATABASE_OWNER_URL` the application's role owns the tables. */
function ownersPlace({ databaseUrl, dataDir }: DatabasePlace, surroundings: Surroundings): DatabasePlace {
  const ownerUrl = ownerUrlOf(surroundings);
  return { databaseUrl: databaseUrl && (ownerUrl ?? databaseUrl), dataDir };
}

async function inDatabase<Value>(
  place: DatabasePlace,
  surroundings: Surroundings,
  creation: Creation,
  work: (database: Database) => Promise<Value>,
): Promise<Value> {
  const database = await openFor(place, surroundings, creation);
  try {
    await prepareTables(database, creation.mayCreate);
    return await work(database);
  } finally {
    await database.close();
  }
}

async function openFor(
  { databaseUrl, dataDir }: DatabasePlace,
  { environment, open, output }: Surroundings,
  { mayCreate, isNewAsked }: Creation,
): Promise<Database> {
  const isPlaceSet = Boolean(environment['DATA_DIR']?.trim());
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'database'))) {
    const asked = "Set DATA_DIR to the cashier's data folder, or DATABASE_URL to its database";
    if (!mayCreate) {
      throw new CommandError(
        `There is no database in ${dataDir}. ${asked}. The first create-operator makes a new one.`,
      );
    }
    if (!isNewAsked && !isPlaceSet) {
      throw new CommandError(
        `There is no database in ${dataDir}, and no cashier uses one there. ${asked}. To make a new database there, add --new-database.`,
      );
    }
    output.error(`Making a new embedded database in ${dataDir}.`);
  } else if (databaseUrl === undefined && !isPlaceSet) {
    output.error(`DATA_DIR is not set, so this uses the embedded database in ${dataDir}.`);
  }
  try {
    return await open({ databaseUrl, dataDir, logger: openingLogger({ output }) });
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    throw new CommandError(
      `Another process uses the embedded database in ${dataDir} and serves no commands: another command, a cashier of an older build, or a cashier on Windows. Wait for the command, stop the cashier, or use its operator API.`,
      { cause: error },
    );
  }
}

/**
 * Creates the tables of an empty database if the command may. It never upgrades a database of an older build, because other nodes may
 * still run that build.
 */
async function prepareTables(database: Database, mayCreate: boolean): Promise<void> {
  const { applied, missing, refusal } = await schemaState(database);
  if (refusal !== undefined) throw new CommandError(refusal);
  if (missing.length === 0) return;
  if (applied > 0 || !mayCreate) {
    const found = applied > 0 ? `lacks ${counted(missing.length, 'migration')} of this build` : 'is empty';
    throw new CommandError(`The database ${found}: start the cashier first.`);
  }
  await migrate(database);
}
