/** The command `check`: reads options and secrets, and prints the report for people or as JSON. */
import { parseArgs } from 'node:util';
import { minorOf } from '../check/amounts.ts';
import { type CheckOptions, type CheckReport, checkWallet } from '../check/check-wallet.ts';
import {
  ArgumentError,
  addressOf,
  type CheckSurroundings,
  isInside,
  linesOf,
  readArguments,
  refuseSecrets,
  secretsOf,
  verdictOf,
} from './check-arguments.ts';

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

/**
 * Carries out the command.
 *
 * @param args what follows `check`
 * @returns the exit code
 */
export async function runCheck(args: readonly string[], surroundings: CheckSurroundings): Promise<0 | 1 | 2> {
  const { print } = surroundings;
  const read = readArguments(() => readOptions(args, surroundings.environment), { ...surroundings, help: checkHelp });
  if (typeof read === 'number') return read;
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
  refuseSecrets(args);
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
  const url = addressOf(positionals, checkHelp, 'https://wallet.example.com/cashier');
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

function summaryOf({ passed, rules, timings, balanceAtStart, balanceAtEnd }: CheckReport): string[] {
  return [
    '',
    ...timings.map(
      ({ type, calls, p50Ms, p95Ms, limitMs }) =>
        `${type}: ${calls} calls, p50 ${p50Ms} ms, p95 ${p95Ms} ms (limit ${limitMs} ms)`,
    ),
    ...(balanceAtStart === undefined
      ? []
      : [`Balance: ${balanceAtStart} at the start, ${balanceAtEnd ?? 'unknown'} at the end`]),
    verdictOf(passed, rules),
  ];
}
