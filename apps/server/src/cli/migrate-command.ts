/** `migrate`: creates or upgrades the tables as their owner, and grants the application's role the rights it needs (SRV-2, SRV-7). */
import { readConfig } from '../config/config.ts';
import { ensureApplicationRole, grantToApplication } from '../database/application-role.ts';
import type { Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { type Schema, schema } from '../database/schema-files.ts';
import { type MigrationPlan, migrationPlan, newerThan, readApplied, schemaState } from '../database/schema-state.ts';
import { counted } from '../languages/counted.ts';
import { type AddCommands, CommandError, type Output, type Surroundings } from './command.ts';
import { openingLogger, ownerUrlOf } from './opening.ts';

export interface MigrateCommandOptions {
  /** Only says what would run. */
  readonly isPlan?: boolean;
  /** No node runs, so migrations may break the version before. */
  readonly areNodesStopped?: boolean;
  /** Absent: the schema of this build. */
  readonly schema?: Schema;
}

export const addMigrateCommand: AddCommands = (program, session) => {
  program
    .command('migrate')
    .description('creates or upgrades the tables as DATABASE_OWNER_URL, and grants rights to the role of DATABASE_URL')
    .option('--plan', 'only says what would run, and which versions can still be used afterwards')
    .option('--nodes-stopped', 'allows migrations that need all nodes of older versions to be stopped')
    .action(async ({ plan = false, nodesStopped = false }) => {
      session.exitWith(await migrateCommand(session, { isPlan: plan, areNodesStopped: nodesStopped }));
    });
};

/**
 * The owner is the user of `DATABASE_OWNER_URL`, which the server itself never reads. The application's role and password are those
 * of `DATABASE_URL`. Without `DATABASE_OWNER_URL` the application's role owns the tables.
 * @returns the exit code: 1 if a plan cannot be carried out while nodes run
 * @throws CommandError if a setting is missing
 */
export async function migrateCommand(surroundings: Surroundings, options: MigrateCommandOptions = {}): Promise<number> {
  const { environment, output, open } = surroundings;
  const { databaseUrl, dataDir } = readConfig(environment);
  if (databaseUrl === undefined)
    throw new CommandError(
      'Set DATABASE_URL. The embedded database needs no migrate: the cashier upgrades it at its start.',
    );
  const ownerUrl = ownerUrlOf(surroundings);
  const database = await open({
    databaseUrl: ownerUrl ?? databaseUrl,
    dataDir,
    logger: openingLogger(surroundings),
  });
  try {
    if (options.isPlan) return await printPlan(database, options.schema ?? schema, output);
    return await run(database, ownerUrl === undefined ? undefined : roleOf(databaseUrl), surroundings, options);
  } finally {
    await database.close();
  }
}

interface Role {
  readonly role: string;
  readonly password: string;
}

/** The role gets its rights in the transaction of the migrations. So a trigger of a new table never meets a role without them. */
async function run(
  database: Database,
  application: Role | undefined,
  { output, clock }: Surroundings,
  { schema: target = schema, areNodesStopped = false }: MigrateCommandOptions,
): Promise<number> {
  const lines: string[] = [];
  const applied = await migrate(database, target, {
    clock,
    areNodesStopped,
    logger: { info: (_, message) => output.progress(message) },
    async finish(transaction) {
      // A deadlock runs the transaction again.
      lines.length = 0;
      const { accepted } = newerThan(target, await readApplied(transaction));
      if (accepted.length > 0) {
        // This build does not know which of the newer tables are append-only. It would grant too much.
        lines.push(
          `A newer build migrated this database (${accepted.join(', ')}). Version ${target.version} works with it.`,
        );
        lines.push('The rights of the application’s role were left as they are.');
        return;
      }
      if (application === undefined) {
        lines.push('The application owns its tables. Set DATABASE_OWNER_URL to give it a role of its own.');
        return;
      }
      const isMade = (await ensureApplicationRole(transaction, application)) === 'made';
      await grantToApplication(transaction, application.role);
      if (isMade) lines.push(`Created the role ${application.role}.`);
      lines.push(`The role ${application.role} may use the tables, but not change their structure.`);
    },
  });
  const isNew = applied.includes('baseline');
  if (isNew) output.out('Created the tables.');
  output.out(`Applied ${counted(applied.length - (isNew ? 1 : 0), 'migration')}.`);
  for (const line of lines) output.out(line);
  return 0;
}

async function printPlan(database: Database, target: Schema, output: Output): Promise<number> {
  const { refusal } = await schemaState(database, target);
  if (refusal !== undefined) throw new CommandError(refusal);
  const plan = await migrationPlan(database, target);
  for (const line of linesOf(plan, target.version)) output.out(line);
  return plan.breaking.length === 0 ? 0 : 1;
}

function linesOf(plan: MigrationPlan, version: string): string[] {
  const { isNew, migrations, lastBuild, accepted, oldest, breaking } = plan;
  if (isNew) return [`The database is empty. Version ${version} would create the tables.`];
  const lines = [`The database was last migrated by version ${lastBuild ?? 'unknown'}. This is version ${version}.`];
  if (accepted.length > 0)
    lines.push(`A newer build has applied ${accepted.join(', ')}. This version works with them.`);
  if (migrations.length === 0) lines.push('No migration is missing.');
  for (const migration of migrations)
    lines.push(`${migration.name}: ${migration.class ?? 'no class'}, works with ${migration.worksWith} and later`);
  const [first] = breaking;
  if (first !== undefined) {
    lines.push(
      `Stop all nodes before ${first.name}: version ${lastBuild} does not work after it. Make a backup first.`,
    );
    lines.push('Then run opencashier migrate --nodes-stopped. The only way back is to restore the backup.');
  } else if (oldest === undefined || oldest === version) {
    lines.push(`Afterwards version ${version} works with this database.`);
  } else {
    lines.push(`Nodes of version ${oldest} and later may run during and after it.`);
    lines.push(`You can go back to version ${oldest} or later without a restore.`);
  }
  return lines;
}

/** The role and the password of an address. @throws CommandError if it names no role */
export function roleOf(databaseUrl: string): Role {
  const { username, password } = new URL(databaseUrl);
  if (username === '') throw new CommandError('DATABASE_URL must name the role of the application.');
  return { role: decodeURIComponent(username), password: decodeURIComponent(password) };
}
