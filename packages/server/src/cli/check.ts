/** The command `check`: reads options and secrets, and prints the report for people or as JSON. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { minorOf } from '../check/amounts.ts';
import type { Surroundings } from '../check/ask-wallet.ts';
import { type CheckOptions, type CheckReport, checkWallet, type RuleResult } from '../check/check-wallet.ts';
import { keysOf } from '../verify-webhook.ts';

export const checkHelp = `npx @opencashier/server check <address>

Plays the cashier against your own wallet, and proves the rules of its calls one by one.
WEBHOOK_SECRETS has the secret of your wallet; with a comma also the second one, while you change it.

  --secret-file <path>  a file with the secret, instead of WEBHOOK_SECRETS
  --test-user <id>      a user of your wallet for this test alone; required outside your own machine and network
  --currency <code>     default EUR
  --decimals <number>   decimals of the currency at the cashier: 2 for money (the default), 8 for crypto coins
  --amount <amount>     what the rules move; default 1.07
  --json                the report as JSON

The test user gets and loses money, and has at the end what it had at the start. Nobody else may use it meanwhile.

Exit code: 0 every rule holds; 1 a rule does not hold; 2 a wrong argument.`;

/** What a test replaces. */
export interface CheckSurroundings extends Surroundings {
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A wrong argument. The message says what to give. */
class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}

/**
 * Carries out the command.
 *
 * @param args what follows `check`
 * @returns the exit code
 */
export async function runCheck(args: readonly string[], surroundings: CheckSurroundings): Promise<0 | 1 | 2> {
  const { print, printError } = surroundings;
  let read: ReturnType<typeof readOptions>;
  try {
    read = readOptions(args, surroundings.environment);
  } catch (error) {
    const isOfArguments = error instanceof TypeError || error instanceof ArgumentError;
    if (!isOfArguments) throw error;
    printError(error.message);
    return 2;
  }
  if (read === 'help') {
    print(checkHelp);
    return 0;
  }
  const { options, isJson } = read;
  if (!isJson) print(`${options.url}, user ${options.userId}, ${options.currency}\n`);
  const report = await checkWallet(options, surroundings, (result) => {
    if (!isJson) for (const line of linesOf(result)) print(line);
  });
  if (isJson) print(JSON.stringify(report, null, 2));
  else for (const line of summaryOf(report)) print(line);
  return report.passed ? 0 : 1;
}

function readOptions(
  args: readonly string[],
  environment: CheckSurroundings['environment'],
): 'help' | { readonly options: CheckOptions; readonly isJson: boolean } {
  // Every program of the machine can read the arguments of the others.
  if (args.some((arg) => arg.includes('whsec_'))) {
    throw new ArgumentError(
      'A secret is no argument: others can read it. Set WEBHOOK_SECRETS or name a --secret-file.',
    );
  }
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'secret-file': { type: 'string' },
      'test-user': { type: 'string' },
      currency: { type: 'string', default: 'EUR' },
      decimals: { type: 'string', default: '2' },
      amount: { type: 'string', default: '1.07' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const url = addressOf(positionals);
  const userId = values['test-user'] ?? (isInside(url) ? 'wallet-check' : undefined);
  if (userId === undefined) {
    throw new ArgumentError(
      `${url.host} may be real. Make a user in your wallet for this test, and name it: --test-user.`,
    );
  }
  if (!/^[\x21-\x7e]{1,128}$/.test(userId)) throw new ArgumentError('--test-user has 1 to 128 signs without spaces.');
  const { currency } = values;
  if (!/^[A-Z0-9]{2,10}$/.test(currency)) throw new ArgumentError('--currency is a code such as EUR.');
  if (!/^\d$/.test(values.decimals)) throw new ArgumentError('--decimals is a number from 0 to 9.');
  const decimals = Number(values.decimals);
  const amount = minorOf(values.amount, decimals);
  if (typeof amount === 'string') throw new ArgumentError(`--amount: ${amount}.`);
  if (amount === 0n) throw new ArgumentError('--amount is above zero.');
  const secrets = secretsOf(values['secret-file'], environment);
  return { options: { url: url.href, secrets, userId, currency, decimals, amount }, isJson: values.json };
}

function addressOf([address, ...more]: readonly string[]): URL {
  if (address === undefined || more.length > 0) throw new ArgumentError(`Name one address.\n\n${checkHelp}`);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ArgumentError(`${address} is no address such as https://wallet.example.com/cashier.`);
  }
  if (url.protocol === 'http:' && !isInside(url)) {
    throw new ArgumentError(`${url.host} needs https: outside a sandbox the cashier calls no http address.`);
  }
  return url;
}

/** An address that cannot be a public wallet: this machine or a private network. */
function isInside({ hostname }: URL): boolean {
  return (
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    /\.(?:localhost|test|internal|local)$/.test(hostname) ||
    /^(?:127|10)(?:\.\d+){3}$/.test(hostname) ||
    /^(?:192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d+){2}$/.test(hostname)
  );
}

function secretsOf(file: string | undefined, environment: CheckSurroundings['environment']): string[] {
  const text = file === undefined ? environment['WEBHOOK_SECRETS'] : textOfFile(file);
  const secrets = (text ?? '').split(/[\s,]+/).filter((secret) => secret !== '');
  if (secrets.length === 0) throw new ArgumentError('Set WEBHOOK_SECRETS (whsec_…), or name a --secret-file.');
  // Says which secret is none before the first call.
  keysOf(secrets);
  return secrets;
}

function textOfFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new ArgumentError(`The file ${file} cannot be read.`, { cause });
  }
}

const marks = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' } as const;

function linesOf({ rule, says, result, cause, remedy }: RuleResult): string[] {
  return [
    `${marks[result]} ${rule}: ${says}.`,
    ...(cause === undefined ? [] : [`     ${result === 'failed' ? 'Cause: ' : ''}${cause}`]),
    ...(remedy === undefined ? [] : [`     Remedy: ${remedy}`]),
  ];
}

function summaryOf({ passed, rules, timings, balanceAtStart, balanceAtEnd }: CheckReport): string[] {
  const count = (result: RuleResult['result']): number => rules.filter((rule) => rule.result === result).length;
  return [
    '',
    ...timings.map(
      ({ type, calls, p50Ms, p95Ms, limitMs }) =>
        `${type}: ${calls} calls, p50 ${p50Ms} ms, p95 ${p95Ms} ms (limit ${limitMs} ms)`,
    ),
    ...(balanceAtStart === undefined
      ? []
      : [`Balance: ${balanceAtStart} at the start, ${balanceAtEnd ?? 'unknown'} at the end`]),
    passed
      ? `All ${rules.length} rules hold.`
      : `${count('passed')} rules hold, ${count('failed')} do not, ${count('skipped')} could not be proven.`,
  ];
}
