/** Commands that make an operator and change its secrets. A secret is printed once, and never read from the command. */
import { parseArgs } from 'node:util';
import {
  createOperator,
  type OperatorSecrets,
  type Refusal,
  rotateKey,
  rotateWebhookSecret,
} from '../operators/manage-operators.ts';
import { leadsInside, webhookAddressProblem } from '../webhooks/webhook-address.ts';
import { type Command, CommandError, type Output, UsageError } from './command.ts';
import { checkOrigin } from './origin-commands.ts';

const partnerKeyForm = /^[a-z0-9_-]{1,64}$/;
/** How long older secrets go on working when nothing is said. */
const graceMs = 86_400_000;

const webhookUrlRule =
  '--webhook-url begins with https://, names no user, and leads to a public address; others are for SANDBOX=1 only.';

export const createOperatorCommand: Command = ({ args, config, output }) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      origin: { type: 'string', multiple: true },
      'webhook-url': { type: 'string' },
    },
  });
  const partnerKey = onlyPositional(positionals, 'the public name of the operator');
  if (!partnerKeyForm.test(partnerKey)) {
    throw new UsageError('The public name of an operator has small letters, digits, - and _, at most 64.');
  }
  const { name, origin: origins = [], 'webhook-url': webhookUrl } = values;
  if (name === undefined || name.trim() === '') throw new UsageError('Give --name "…".');
  if (origins.length === 0) throw new UsageError('Give --origin https://… for each site that shows the cashier.');
  for (const origin of origins) checkOrigin(origin);
  const problem = webhookUrl === undefined ? undefined : webhookAddressProblem(webhookUrl, config.isSandbox);
  if (problem !== undefined) throw new UsageError(`${webhookUrlRule} (${problem})`);
  return async (database) => {
    if (webhookUrl !== undefined && !config.isSandbox && (await leadsInside(webhookUrl))) {
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
};

export const rotateKeyCommand: Command = ({ args, output, clock }) => {
  const { partnerKey, until } = rotation(args, clock.now());
  return async (database) => {
    const made = accepted(await rotateKey(database, partnerKey, until), partnerKey);
    output.out(`A new secret key of ${partnerKey}. ${ending('Older keys work', until)}`);
    printSecrets(output, made);
    return 0;
  };
};

export const rotateWebhookSecretCommand: Command = ({ args, output, clock }) => {
  const { partnerKey, until } = rotation(args, clock.now());
  return async (database) => {
    const made = accepted(await rotateWebhookSecret(database, partnerKey, until), partnerKey);
    output.out(
      `A new web-hook secret of ${partnerKey}. ${ending('Web-hooks are signed by the older ones too', until)}`,
    );
    printSecrets(output, made);
    return 0;
  };
};

/** `<partnerKey> [--until now|date]`: until when the older secret is good. */
function rotation(args: readonly string[], now: number): { partnerKey: string; until: Date | undefined } {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { until: { type: 'string' } },
  });
  const partnerKey = onlyPositional(positionals, 'the public name of the operator');
  if (values.until === 'now') return { partnerKey, until: undefined };
  const until = values.until === undefined ? now + graceMs : Date.parse(values.until);
  if (!(until > now)) throw new UsageError('--until is `now` or a date to come, such as 2030-01-31T12:00Z.');
  return { partnerKey, until: new Date(until) };
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

export function onlyPositional(positionals: readonly string[], what: string): string {
  const [first] = positionals;
  if (first === undefined || positionals.length > 1) throw new UsageError(`Give ${what}, once.`);
  return first;
}

function printSecrets(output: Output, { secretKey, webhookSecret }: Partial<OperatorSecrets>): void {
  output.out('');
  if (secretKey !== undefined) output.out(`  secret key       ${secretKey}`);
  if (webhookSecret !== undefined) output.out(`  web-hook secret  ${webhookSecret}`);
  output.out('');
  output.out('This is shown once. Keep it on the operator’s backend, nowhere else.');
}
