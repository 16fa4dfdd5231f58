/** Commands that create an operator and change its sites and secrets. A secret is printed once, and never read from the command. */
import type { Database } from '../database/database.ts';
import {
  addOrigins,
  createOperator,
  type OperatorSecrets,
  type Refusal,
  rotateKey,
  rotateWebhookSecret,
} from '../operators/manage-operators.ts';
import { leadsInside, webhookAddressProblem } from '../webhooks/webhook-address.ts';
import { type AddCommands, CommandError, type Output, type Session, UsageError } from './command.ts';
import { operatorArgument } from './listing.ts';

const partnerKeyForm = /^[a-z0-9_-]{1,64}$/;
/** How long older secrets go on working when nothing is said. */
const graceMs = 86_400_000;

const webhookUrlRule =
  '--webhook-url begins with https://, names no user, and leads to a public address; others are for SANDBOX=1 only.';

export const addOperatorCommands: AddCommands = (program, session) => {
  program
    .command('create-operator')
    .description('creates an operator and prints its secrets once')
    .argument(...operatorArgument)
    .requiredOption('--name <name>', 'name for people')
    .option('--origin <origin>', 'site that shows the cashier; may be repeated', collect, [])
    .option('--webhook-url <address>', 'where webhooks go')
    .action((partnerKey, options) => createOne(session, partnerKey, options));
  program
    .command('add-origin')
    .description('lets further sites show the cashier')
    .argument(...operatorArgument)
    .argument('<origins...>', 'such as https://www.example.com')
    .action((partnerKey, origins) => addOriginsTo(session, partnerKey, origins));
  program
    .command('rotate-key')
    .description('makes a new secret key; the older ones end later')
    .argument(...operatorArgument)
    .option('--until <date>', '`now` or a date; default: in a day')
    .action((partnerKey, { until: asked }) => {
      const until = endOfOlder(asked, session.clock.now());
      return session.withDatabase(async (database) => {
        const made = accepted(await rotateKey(database, partnerKey, until), partnerKey);
        session.output.out(`A new secret key of ${partnerKey}. ${ending('Older keys work', until)}`);
        printSecrets(session.output, made);
        return 0;
      });
    });
  program
    .command('rotate-webhook-secret')
    .description('makes a new webhook secret; the older ones also sign until they end')
    .argument(...operatorArgument)
    .option('--until <date>', '`now` or a date; default: in a day')
    .action((partnerKey, { until: asked }) => {
      const until = endOfOlder(asked, session.clock.now());
      return session.withDatabase(async (database) => {
        const made = accepted(await rotateWebhookSecret(database, partnerKey, until), partnerKey);
        session.output.out(
          `A new webhook secret of ${partnerKey}. ${ending('Webhooks are signed by the older ones too', until)}`,
        );
        printSecrets(session.output, made);
        return 0;
      });
    });
};

const collect = (value: string, before: string[]): string[] => [...before, value];

interface NewOperator {
  readonly name: string;
  readonly origin: readonly string[];
  readonly webhookUrl?: string;
}

/** @throws UsageError where a name, an origin or the address cannot be one */
function createOne(
  { config, output, withDatabase }: Session,
  partnerKey: string,
  { name, origin: origins, webhookUrl }: NewOperator,
): Promise<void> {
  if (!partnerKeyForm.test(partnerKey)) {
    throw new UsageError('The public name of an operator has small letters, digits, - and _, at most 64.');
  }
  if (name.trim() === '') throw new UsageError('Give --name "…".');
  if (origins.length === 0) throw new UsageError('Give --origin https://… for each site that shows the cashier.');
  for (const origin of origins) checkOrigin(origin);
  const { isSandbox } = config();
  const problem = webhookUrl === undefined ? undefined : webhookAddressProblem(webhookUrl, isSandbox);
  if (problem !== undefined) throw new UsageError(`${webhookUrlRule} (${problem})`);
  const create = async (database: Database): Promise<number> => {
    if (webhookUrl !== undefined && !isSandbox && (await leadsInside(webhookUrl))) {
      throw new CommandError(`${webhookUrlRule} (its name leads to a private address)`);
    }
    const secrets = await createOperator(database, { partnerKey, name, origins, webhookUrl });
    if (secrets === undefined) throw new CommandError(`There is an operator ${partnerKey} already.`);
    output.out(
      `The operator ${partnerKey} is made. Its key works at once; its sites may show the cashier within ten seconds.`,
    );
    printSecrets(output, secrets);
    return 0;
  };
  return withDatabase(create, { mayCreate: true });
}

/** @throws UsageError where an origin cannot be one */
function addOriginsTo(
  { output, withDatabase }: Session,
  partnerKey: string,
  origins: readonly string[],
): Promise<void> {
  for (const origin of origins) checkOrigin(origin);
  return withDatabase(async (database) => {
    const all = await addOrigins(database, partnerKey, origins);
    if (all === undefined) throw new CommandError(`There is no operator ${partnerKey}.`);
    output.out(`Sites of ${partnerKey}: ${all.join(' ')}. A running cashier knows them within ten seconds.`);
    return 0;
  });
}

/** @throws UsageError where it is not an origin, letter by letter as a browser says it */
function checkOrigin(origin: string): void {
  if (!URL.canParse(origin) || new URL(origin).origin !== origin || !/^https?:/.test(origin)) {
    throw new UsageError(`An origin is such as https://www.example.com, without a path: not ${origin}`);
  }
}

/** Until when older secrets work; `undefined`: they end now. @throws UsageError */
function endOfOlder(asked: string | undefined, now: number): Date | undefined {
  if (asked === 'now') return undefined;
  const until = asked === undefined ? now + graceMs : Date.parse(asked);
  if (!(until > now)) throw new UsageError('--until is `now` or a date to come, such as 2030-01-31T12:00Z.');
  return new Date(until);
}

function ending(what: string, until: Date | undefined): string {
  return until === undefined ? 'Older ones ended now.' : `${what} until ${until.toISOString()}.`;
}

function accepted<Made extends object>(made: Made | Refusal, partnerKey: string): Made {
  if (made === 'unknown') throw new CommandError(`There is no operator ${partnerKey}.`);
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
  output.out('This is shown once. Keep it on the operator’s backend, nowhere else.');
}
