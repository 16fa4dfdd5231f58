#!/usr/bin/env node
/** The program `opencashier-server`, for engineers of an operator: its commands are `trigger`, `listen` and `check`. */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CashierError } from '../errors.ts';
import { checkHelp, runCheck } from './check.ts';
import { checkBonusesHelp, runCheckBonuses } from './check-bonuses.ts';
import { listenHelp, runListen } from './listen.ts';
import { trigger } from './trigger.ts';
import { TriggerError } from './trigger-error.ts';
import { type TriggerType, triggers } from './trigger-plans.ts';

const triggerHelp = `npx @opencashier/server trigger <type>

Makes a payment in the sandbox that ends in a webhook of this type, and says whether your backend has taken it.
A withdrawal needs a balance, so a deposit comes first. deposit.reversed is a chargeback, 10 seconds after the credit.
withdrawal.awaiting_approval needs a rule: \`opencashier approvals set <operator> --currency EUR --above 0\`. The command says so.
withdrawal.expired needs --advance-clock.
CASHIER_URL and OPERATOR_KEY name the sandbox and your operator.

Types:
${Object.keys(triggers)
  .map((type) => `  ${type}`)
  .join('\n')}

  --user <id>         whose payment it is; default trigger-user
  --currency <code>   default EUR
  --country <code>    default DE
  --method <name>     name of the payment method; default card, or card_withdrawal
  --advance-clock     lets withdrawal.expired move the time of the whole sandbox 16 minutes ahead; nothing turns it back
  --fields <json>     what the user enters in the method's form, such as '{"iban":"DE89370400440532013000"}'

Exit code: 0 your backend has taken the webhook; 1 it has not, or the command failed; 2 a wrong argument.`;

const help = [triggerHelp, listenHelp, checkHelp, checkBonusesHelp].join('\n\n');

const terminal = {
  fetch: globalThis.fetch,
  now: Date.now,
  print: (line: string) => console.log(line),
  printError: (line: string) => console.error(line),
  environment: process.env,
};

/** Ends early when the command is stopped. */
function pauseUntil(milliseconds: number, signal: AbortSignal): Promise<void> {
  return pause(milliseconds, undefined, { signal }).catch(() => undefined);
}

function readFields(text: string | undefined): Readonly<Record<string, string>> | undefined | 'wrong' {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'wrong';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'wrong';
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';
  const entries = Object.entries(value);
  return entries.every(isText) ? Object.fromEntries(entries) : 'wrong';
}

async function run(): Promise<number> {
  const [first, ...others] = process.argv.slice(2);
  if (first === 'check' && others[0] === 'bonuses') return await runCheckBonuses(others.slice(1), terminal);
  if (first === 'check') return await runCheck(others, terminal);
  if (first === 'listen') {
    const stopping = new AbortController();
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
    return await runListen(others, { ...terminal, pause: pauseUntil, stop: stopping.signal });
  }
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      user: { type: 'string', default: 'trigger-user' },
      currency: { type: 'string', default: 'EUR' },
      country: { type: 'string', default: 'DE' },
      method: { type: 'string' },
      fields: { type: 'string' },
      'advance-clock': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [command, type = ''] = positionals;
  if (values.help || command === undefined) {
    console.log(command === 'trigger' ? triggerHelp : help);
    return values.help ? 0 : 2;
  }
  const { CASHIER_URL: cashierUrl, OPERATOR_KEY: operatorKey } = process.env;
  if (command !== 'trigger') {
    console.error(`Unknown: ${command}. The commands are trigger, listen and check. --help describes them.`);
    return 2;
  }
  if (!Object.hasOwn(triggers, type)) {
    console.error(
      `trigger cannot make ${type || 'a webhook without a type'}. It knows ${Object.keys(triggers).join(', ')}.`,
    );
    return 2;
  }
  if (!cashierUrl || !operatorKey) {
    console.error('Set CASHIER_URL (such as http://localhost:3000) and OPERATOR_KEY (sk_…).');
    return 2;
  }
  const { user: userId, currency, country, method } = values;
  const fields = readFields(values.fields);
  if (fields === 'wrong') {
    console.error(`--fields must be a JSON object of texts, such as {"iban":"DE89370400440532013000"}.`);
    return 2;
  }
  const isTaken = await trigger(
    {
      ...{ cashierUrl, operatorKey, userId, currency, country, method, fields },
      type: type as TriggerType,
      mayAdvanceClock: values['advance-clock'],
    },
    { ...terminal, pause: (milliseconds) => pause(milliseconds) },
  );
  return isTaken ? 0 : 1;
}

try {
  process.exitCode = await run();
} catch (error) {
  const isOfArguments =
    error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  if (!isOfArguments && !(error instanceof TriggerError) && !(error instanceof CashierError)) throw error;
  console.error(error.message);
  process.exitCode = isOfArguments ? 2 : 1;
}
