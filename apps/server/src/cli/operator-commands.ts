/**
 * Commands that create an operator and change its sites and secrets. They print a secret once. They never read one from the command
 * line, because other users of the machine can see that.
 */
import type { Database } from '../database/database.ts';
import {
  createOperator,
  type OperatorSecrets,
  type Refusal,
  rotateKey,
  rotateWebhookSecret,
} from '../operators/manage-operators.ts';
import { type AddCommands, CommandError, type Output, type Session, UsageError } from './command.ts';
import { actorOf, byOption, noSuchOperator, operatorArgument } from './listing.ts';
import { checkAddress, refuseInside } from './outgoing-address.ts';
import { checkOrigins, collect } from './settings-commands.ts';
import { readWalletMode, requireWalletUrl } from './wallet-commands.ts';

const partnerKeyForm = /^[a-z0-9_-]{1,64}$/;
/** How long older secrets still work if `--until` is absent. ms. */
const graceMs = 86_400_000;

export const addOperatorCommands: AddCommands = (program, session) => {
  program
    .command('create-operator')
    .description('creates an operator and prints its secrets once')
    .argument(...operatorArgument)
    .requiredOption('--name <name>', 'display name')
    .option('--origin <origin>', 'site that shows the cashier; may be repeated', collect, [])
    .option('--webhook-url <address>', 'address that gets the webhooks')
    .option('--new-database', 'makes a new embedded database even if DATA_DIR is not set')
    .option('--wallet <mode>', 'whose balance counts: cashier, operator or pass-through (docs/integrate.md)', 'cashier')
    .option('--wallet-url <address>', 'address of the operator’s own wallet, for the mode operator')
    .option(...byOption)
    .action((partnerKey, options) => createOne(session, partnerKey, options));
  program
    .command('rotate-key')
    .description('prints a new secret key; the older ones work until --until')
    .argument(...operatorArgument)
    .option('--until <date>', '`now` or a date; default: in a day')
    .option(...byOption)
    .action((partnerKey, { until: asked, by }) => {
      const actor = actorOf(by);
      const until = endOfOlder(asked, session.clock.now());
      return session.withDatabase(async (database) => {
        const made = accepted(await rotateKey(database, partnerKey, actor, until), partnerKey);
        session.output.out(`A new secret key of ${partnerKey}. ${ending('Older keys stay valid', until)}`);
        printSecrets(session.output, made);
        return 0;
      });
    });
  program
    .command('rotate-webhook-secret')
    .description('prints a new webhook secret; until --until webhooks are also signed with the older ones')
    .argument(...operatorArgument)
    .option('--until <date>', '`now` or a date; default: in a day')
    .option(...byOption)
    .action((partnerKey, { until: asked, by }) => {
      const actor = actorOf(by);
      const until = endOfOlder(asked, session.clock.now());
      return session.withDatabase(async (database) => {
        const made = accepted(await rotateWebhookSecret(database, partnerKey, actor, until), partnerKey);
        session.output.out(
          `A new webhook secret of ${partnerKey}. ${ending('Webhooks are also signed with the older ones', until)}`,
        );
        printSecrets(session.output, made);
        return 0;
      });
    });
};

interface NewOperator {
  readonly name: string;
  readonly origin: readonly string[];
  readonly webhookUrl?: string;
  readonly wallet: string;
  readonly walletUrl?: string;
  readonly by: string;
  readonly newDatabase?: boolean;
}

/** @throws UsageError if a name, an origin or the address is not valid */
function createOne(
  session: Session,
  partnerKey: string,
  { name, origin: origins, webhookUrl, wallet, walletUrl, by, newDatabase: isNewAsked = false }: NewOperator,
): Promise<void> {
  const { output, withDatabase } = session;
  const actor = actorOf(by);
  const walletMode = readWalletMode(wallet);
  requireWalletUrl(walletMode, walletUrl);
  checkAddress(session, '--wallet-url', walletUrl);
  if (!partnerKeyForm.test(partnerKey)) {
    throw new UsageError('The partner key has at most 64 characters: lower-case letters, digits, - and _.');
  }
  if (name.trim() === '') throw new UsageError('Give --name "…".');
  if (origins.length === 0) throw new UsageError('Give --origin https://… for each site that shows the cashier.');
  checkOrigins(origins);
  checkAddress(session, '--webhook-url', webhookUrl);
  const create = async (database: Database): Promise<number> => {
    await refuseInside(session, '--webhook-url', webhookUrl);
    await refuseInside(session, '--wallet-url', walletUrl);
    const made = { partnerKey, name, origins, webhookUrl, walletMode, walletUrl };
    const secrets = await createOperator(database, made, actor);
    if (secrets === undefined) throw new CommandError(`The operator ${partnerKey} already exists.`);
    output.out(
      `Created the operator ${partnerKey}. Its key works at once. Its sites can show the cashier within ten seconds.`,
    );
    printSecrets(output, secrets);
    return 0;
  };
  return withDatabase(create, { mayCreate: true, isNewAsked });
}

/** The moment at which older secrets stop working. `undefined`: now. @throws UsageError */
function endOfOlder(asked: string | undefined, now: number): Date | undefined {
  if (asked === 'now') return undefined;
  const until = asked === undefined ? now + graceMs : Date.parse(asked);
  if (!(until > now)) throw new UsageError('--until must be `now` or a date in the future, such as 2030-01-31T12:00Z.');
  return new Date(until);
}

function ending(what: string, until: Date | undefined): string {
  return until === undefined ? 'Older ones no longer work.' : `${what} until ${until.toISOString()}.`;
}

function accepted<Made extends object>(made: Made | Refusal, partnerKey: string): Made {
  if (made === 'unknown') throw noSuchOperator(partnerKey);
  if (made === 'of-the-settings') {
    throw new CommandError(
      `The secrets of ${partnerKey} come from the settings at every start: change SEED_DEMO_OPERATOR_KEY and SEED_DEMO_WEBHOOK_SECRET.`,
    );
  }
  return made;
}

function printSecrets(output: Output, { secretKey, webhookSecret }: Partial<OperatorSecrets>): void {
  output.out('');
  if (secretKey !== undefined) output.out(`  secret key      ${secretKey}`);
  if (webhookSecret !== undefined) output.out(`  webhook secret  ${webhookSecret}`);
  output.out('');
  output.out('This is shown only once. Store it on the operator’s backend and nowhere else.');
}
