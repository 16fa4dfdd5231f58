/** `opencashier`: the first steps of whoever runs a cashier, on its machine and with its settings (docs/operate.md). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CallFailure } from '../calls/call.ts';
import { type Config, readConfig } from '../config.ts';
import type { Database } from '../database/database.ts';
import { FolderInUseError } from '../database/folder-lock.ts';
import { migrate, schemaState } from '../database/migrate.ts';
import type { DatabaseLogger } from '../database/open-embedded.ts';
import { accountsCommand } from './account-commands.ts';
import { addressesCommand } from './address-commands.ts';
import { auditCommand, listCommand, replayCommand } from './book-commands.ts';
import { catalogueCommand } from './catalogue-commands.ts';
import { type Command, CommandError, type Surroundings, UsageError } from './command.ts';
import { debtsCommand } from './debt-commands.ts';
import { approvalsCommand, reviewsCommand, withdrawalsCommand } from './decision-commands.ts';
import { doctor } from './doctor.ts';
import { findCommand } from './find-command.ts';
import { migrateCommand } from './migrate-command.ts';
import { createOperatorCommand, rotateKeyCommand, rotateWebhookSecretCommand } from './operator-commands.ts';
import { addOriginCommand } from './origin-commands.ts';
import { reportsCommand } from './report-commands.ts';

const usage = `opencashier <command>

  create-operator <name> --name "…" --origin https://… [--origin …] [--webhook-url https://…]
                                     makes an operator; prints its secrets once
  add-origin <operator> <origin> …   lets further pages show the cashier
  rotate-key <operator> [--until now|<date>]
                                     a new secret key; older ones end then (default: in a day)
  rotate-webhook-secret <operator> [--until now|<date>]
                                     a new web-hook secret; until then the older signs too
  list [operators]                   who there is
  list transactions <operator> [--user …] [--status …] [--type …] [--from …] [--to …]
  list deliveries <operator> [--status …] [--type …] [--from …] [--to …]
                                     newest first; --limit, --cursor, --json
  reviews list <operator>            money in suspense that waits for a decision
  reviews resolve <operator> <review> <decision> --by <name>
                                     decides about it, by one of its decisions
  reports parked <operator>          what providers told and nothing fits yet, the oldest first
  reports reversals <operator>       money that providers took back, wholly or in part, the newest first
  reports dismiss <operator> <report> --by <name> --reason "…"
                                     sets a taking aside that tells of nothing new
  withdrawals awaiting <operator> [--user …] [--currency …] [--method …] [--from …] [--to …]
                                     withdrawals that wait for approval, the oldest first
  withdrawals approve <operator> <withdrawal> --by <name> [--reason "…"]
  withdrawals decline <operator> <withdrawal> --by <name> --reason "…"
  approvals <operator>               from which amounts on withdrawals wait for approval
  approvals set <operator> [--currency … [--above … [--second-above …]] [--day …]] [--currency … --none] [--hours …]
                                     changes it, at once
  accounts frozen <operator>         accounts that a debt has frozen, the oldest first
  accounts release <operator> <user> <currency> --by <name> --reason "…"
                                     lets money leave one again; the debt stays
  debts list <operator> [--user …] [--currency …]
                                     what users owe, also where their account was released
  debts settle <operator> <user> <currency> --from operator|main|additional [--amount …] --by <name> --reason "…"
                                     forgives it, or pays it from an account of the user's
  debts deposits <operator> [--pay yes|no]
                                     whether deposits pay debts first
  debts release <operator> [--when-paid yes|no]
                                     whether accounts are released when their debt is paid
  addresses lost [--depth …] [--series <chain>/<branch>] [--acknowledge --by <name>]
                                     addresses that were used and that the database does not know, after a restore;
                                     exit code 1 until somebody has acknowledged them
  reports unmatched [<operator>]     reports that name no payment: without an operator all of them
  find <name> [--operator …] [--json]
                                     where a payment is: by id, reference, transaction hash, address,
                                     destination of a withdrawal or user
  replay <delivery>                  sends a web-hook again
  catalogue list <operator> [--group] [--json]
                                     methods (or groups), whether they are offered, and own limits
  catalogue enable|disable <operator> <method> … [--group]
  catalogue order <operator> <method> … [--group]
                                     these first, in this order
  catalogue limits <operator> <method> <currency> [--min …] [--max …]
                                     within the shipped ones; without either: as shipped
                                     changes count at once; --by says who made them
  audit                              sums the whole ledger and checks its rules; exit code 1 where it is unsound
  migrate                            makes the tables as DATABASE_OWNER_URL, for the role of DATABASE_URL
  doctor                             whether everything is set up; exit code 1 where not

It reads the settings of the server from the environment.`;

const commands: Readonly<Record<string, Command>> = {
  'create-operator': createOperatorCommand,
  'add-origin': addOriginCommand,
  'rotate-key': rotateKeyCommand,
  'rotate-webhook-secret': rotateWebhookSecretCommand,
  list: listCommand,
  replay: replayCommand,
  find: findCommand,
  catalogue: catalogueCommand,
  audit: auditCommand,
  reviews: reviewsCommand,
  reports: reportsCommand,
  withdrawals: withdrawalsCommand,
  approvals: approvalsCommand,
  accounts: accountsCommand,
  debts: debtsCommand,
  addresses: addressesCommand,
};

/**
 * Runs one command.
 * @returns the exit code: 0 done, 1 not done or not sound, 2 written wrongly
 */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { output } = surroundings;
  const [name = 'help', ...rest] = args;
  try {
    if (['help', '--help', '-h'].includes(name)) {
      output.out(usage);
      return 0;
    }
    if (name === 'doctor') {
      if (rest.length > 0) throw new UsageError('`doctor` takes nothing more.');
      return await doctor(surroundings);
    }
    if (name === 'migrate') {
      if (rest.length > 0) throw new UsageError('`migrate` takes nothing more.');
      return await migrateCommand(surroundings);
    }
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) throw new UsageError(`There is no command ${name}.`);
    return await withDatabase(name, rest, command, surroundings);
  } catch (error) {
    const isUsage = error instanceof UsageError || isParseError(error);
    output.error(explain(error));
    if (isUsage) output.error('`opencashier help` lists the commands.');
    return isUsage ? 2 : 1;
  }
}

async function withDatabase(
  name: string,
  args: readonly string[],
  command: Command,
  { environment, output, clock, open }: Surroundings,
): Promise<number> {
  const config = readConfig(environment);
  const run = command({ args, config, output, clock });
  const logger: DatabaseLogger = {
    info: () => undefined,
    error: () => output.error('The connection to the database was lost.'),
  };
  // Only the command that begins everything may make a database.
  if (config.databaseUrl === undefined && name !== 'create-operator' && !existsSync(join(config.dataDir, 'database'))) {
    throw new CommandError(`There is no database in ${config.dataDir}: set DATA_DIR, or make an operator first.`);
  }
  const database = await openFor(config, open, logger);
  try {
    await prepare(database, name);
    return await run(database);
  } finally {
    await database.close();
  }
}

async function openFor(
  { databaseUrl, dataDir }: Config,
  open: Surroundings['open'],
  logger: DatabaseLogger,
): Promise<Database> {
  try {
    return await open({ databaseUrl, dataDir, logger });
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    throw new CommandError(
      `The cashier is running on the embedded database in ${dataDir} and holds it alone. Stop it for this command, or ask its operator API.`,
      { cause: error },
    );
  }
}

/** An empty database gets its tables; one of another version is left to the server, whose nodes may still be of that one. */
async function prepare(database: Database, name: string): Promise<void> {
  const { applied, missing, unknown, former } = await schemaState(database);
  if (former !== undefined) throw new CommandError(former);
  if (unknown.length > 0) {
    throw new CommandError(`The database is newer than this build: it has ${unknown.join(', ')}.`);
  }
  if (missing.length === 0) return;
  if (applied > 0 || name !== 'create-operator') {
    const found = applied > 0 ? `lacks ${missing.length} migrations of this build` : 'is empty';
    throw new CommandError(`The database ${found}: start the cashier first.`);
  }
  await migrate(database);
}

/** node:util throws these for an option that it does not know. */
function isParseError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

/** What the operator API says beside the message. */
function detailsOf({ details: { fields = [], params = {} } }: CallFailure): string[] {
  return [
    ...fields.map(({ path, message }) => `${path}: ${message}`),
    ...Object.entries(params).map(([name, value]) => `(${name}: ${value})`),
  ];
}

/** Several addresses that were tried make an error without words: its code says it. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof CallFailure) return [error.message, ...detailsOf(error)].join(' ');
  const code = 'code' in error ? String(error.code) : error.name;
  return error.message || code;
}
