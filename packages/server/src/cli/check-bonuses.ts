/** The command `check bonuses`: reads options and secrets, and prints the report for people or as JSON. */
import { parseArgs } from 'node:util';
import { decimalsOf } from '../check-engine/bonus-faults.ts';
import { checkEngine, type EngineCheckOptions, type EngineReport } from '../check-engine/check-engine.ts';
import {
  ArgumentError,
  addressOf,
  type CheckSurroundings,
  linesOf,
  readArguments,
  refuseSecrets,
  secretsOf,
  verdictOf,
} from './check-arguments.ts';

export const checkBonusesHelp = `npx @opencashier/server check bonuses <address>

Asks your own bonus engine as the cashier does, and proves the rules of the contract one by one.
WEBHOOK_SECRETS has the secret of your engine; with a comma also the second one, while you change it.

  --test-user <id>      a user who sees bonuses; again for users who see none, or many
  --currency <code>     default EUR, JPY and KWD; again for more
  --secret-file <path>  a file with the secret, instead of WEBHOOK_SECRETS
  --json                the report as JSON

A question changes nothing, so the users may be real.

Exit code: 0 every rule holds; 1 a rule does not hold; 2 a wrong argument.`;

/**
 * Carries out the command.
 *
 * @param args what follows `check bonuses`
 * @returns the exit code
 */
export async function runCheckBonuses(args: readonly string[], surroundings: CheckSurroundings): Promise<0 | 1 | 2> {
  const { print, environment } = surroundings;
  const read = readArguments(() => readOptions(args, environment), { ...surroundings, help: checkBonusesHelp });
  if (typeof read === 'number') return read;
  const { options, isJson } = read;
  if (!isJson) print(`${options.url}, ${options.userIds.join(', ')}, ${options.currencies.join(', ')}\n`);
  const report = await checkEngine(options, surroundings, (result) => {
    if (!isJson) for (const line of linesOf(result)) print(line);
  });
  if (isJson) print(JSON.stringify(report, null, 2));
  else for (const line of summaryOf(report)) print(line);
  return report.passed ? 0 : 1;
}

function readOptions(
  args: readonly string[],
  environment: CheckSurroundings['environment'],
): 'help' | { readonly options: EngineCheckOptions; readonly isJson: boolean } {
  refuseSecrets(args);
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'secret-file': { type: 'string' },
      'test-user': { type: 'string', multiple: true, default: [] },
      // No, two and three decimals by ISO 4217; at the cashier each has two.
      currency: { type: 'string', multiple: true, default: ['EUR', 'JPY', 'KWD'] },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const url = addressOf(positionals, checkBonusesHelp, 'https://api.example.com/cashier-bonuses');
  const [user, ...users] = values['test-user'];
  if (user === undefined) throw new ArgumentError('Name a user who sees bonuses: --test-user u-1042.');
  for (const id of values['test-user']) {
    if (!/^[\x21-\x7e]{1,128}$/.test(id)) throw new ArgumentError('--test-user has 1 to 128 signs without spaces.');
  }
  const [currency = 'EUR', ...currencies] = values.currency;
  for (const code of values.currency) {
    if (decimalsOf(code) === undefined) throw new ArgumentError(`--currency: the cashier does not know ${code}.`);
  }
  const secrets = secretsOf(values['secret-file'], environment);
  const options = { url: url.href, secrets, userIds: [user, ...users], currencies: [currency, ...currencies] } as const;
  return { options, isJson: values.json };
}

function summaryOf({ passed, rules, seen, timing }: EngineReport): string[] {
  const { questions, p50Ms, slowestMs } = timing;
  return [
    '',
    ...seen.map(
      ({ userId, currency = 'every currency', bonuses }) =>
        `${userId}, ${currency}: ${bonuses === 1 ? '1 bonus' : `${bonuses} bonuses`}`,
    ),
    `${questions} questions, p50 ${p50Ms} ms, slowest ${slowestMs} ms`,
    verdictOf(passed, rules),
  ];
}
