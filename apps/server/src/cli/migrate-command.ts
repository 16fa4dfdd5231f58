/** `migrate`: makes the tables as their owner, and grants to the application's own role what it needs (SRV-2, SRV-7). */
import { readConfig } from '../config/config.ts';
import { ensureApplicationRole, grantToApplication } from '../database/application-role.ts';
import { migrate } from '../database/migrate.ts';
import { CommandError, type Surroundings } from './command.ts';

/**
 * The owner's address comes from `DATABASE_OWNER_URL`, which the server itself never reads; the role and its password from
 * `DATABASE_URL`. Without an owner's address there is one role for both.
 * @throws CommandError where a setting is missing
 */
export async function migrateCommand({ environment, output, open }: Surroundings): Promise<number> {
  const { databaseUrl, dataDir } = readConfig(environment);
  const ownerUrl = environment['DATABASE_OWNER_URL']?.trim() || undefined;
  if (databaseUrl === undefined)
    throw new CommandError('Set DATABASE_URL: the embedded database is made at the start.');
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
        output.out(`Made the role ${role}.`);
      await grantToApplication(transaction, role);
    });
    output.out(`The role ${role} may use the tables, and not change them.`);
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
