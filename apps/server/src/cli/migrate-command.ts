/** `migrate`: creates or upgrades the tables as their owner, and grants the application's role the rights it needs (SRV-2, SRV-7). */
import { readConfig } from '../config/config.ts';
import { ensureApplicationRole, grantToApplication } from '../database/application-role.ts';
import { migrate } from '../database/migrate.ts';
import { CommandError, type Surroundings } from './command.ts';

/**
 * The owner is the user of `DATABASE_OWNER_URL`, which the server itself never reads. The application's role and password are those
 * of `DATABASE_URL`. Without `DATABASE_OWNER_URL` the application's role owns the tables.
 * @throws CommandError if a setting is missing
 */
export async function migrateCommand({ environment, output, open }: Surroundings): Promise<number> {
  const { databaseUrl, dataDir } = readConfig(environment);
  const ownerUrl = environment['DATABASE_OWNER_URL']?.trim() || undefined;
  if (databaseUrl === undefined)
    throw new CommandError(
      'Set DATABASE_URL. The embedded database needs no migrate: the cashier upgrades it at its start.',
    );
  if (ownerUrl !== undefined && !URL.canParse(ownerUrl))
    throw new CommandError('DATABASE_OWNER_URL must be an address.');
  const database = await open({
    databaseUrl: ownerUrl ?? databaseUrl,
    dataDir,
    logger: { info: () => undefined, error: () => output.error('The connection to the database was lost.') },
  });
  try {
    const applied = await migrate(database);
    const isNew = applied.includes('baseline');
    if (isNew) output.out('Created the tables.');
    output.out(`${applied.length - (isNew ? 1 : 0)} migrations were applied.`);
    if (ownerUrl === undefined) {
      output.out('The application owns its tables. Set DATABASE_OWNER_URL to give it a role of its own.');
      return 0;
    }
    const { role, password } = roleOf(databaseUrl);
    await database.transaction(async (transaction) => {
      if ((await ensureApplicationRole(transaction, { role, password })) === 'made')
        output.out(`Created the role ${role}.`);
      await grantToApplication(transaction, role);
    });
    output.out(`The role ${role} may use the tables, but not change their structure.`);
    return 0;
  } finally {
    await database.close();
  }
}

function roleOf(databaseUrl: string): { readonly role: string; readonly password: string } {
  const { username, password } = new URL(databaseUrl);
  if (username === '') throw new CommandError('DATABASE_URL must name the role of the application.');
  return { role: decodeURIComponent(username), password: decodeURIComponent(password) };
}
