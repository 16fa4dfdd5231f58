/** A database as an older build left it, to be filled with what such a database held before newer migrations run over it. */
import { migrate, migrations } from './migrate.ts';
import { openAsItIs } from './open-database.ts';
import { openEmbedded } from './open-embedded.ts';
import { makeTestPlace, silentLogger, type TestDatabase } from './test-database.ts';

export interface OldDatabase extends TestDatabase {
  /** Runs the migrations that are missing, as a start of this build does. @returns their names */
  upgrade(): Promise<string[]>;
}

/** @param first the number of the first migration that is missing, such as `0440` */
export async function openBefore(first: string): Promise<OldDatabase> {
  const place = await makeTestPlace();
  const options = { ...place, logger: silentLogger };
  const database = place.databaseUrl ? await openAsItIs(options) : await openEmbedded(options, { isDisposable: true });
  await migrate(
    database,
    migrations.filter(({ name }) => name < first),
  );
  return {
    database,
    upgrade: () => migrate(database),
    async drop() {
      await database.close();
      await place.remove();
    },
  };
}
