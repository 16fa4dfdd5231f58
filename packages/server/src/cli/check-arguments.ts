/** What the checks of a wallet and of a bonus engine share: their arguments, and the words of a result. */
import { readFileSync } from 'node:fs';
import type { RuleResult } from '../check/rules.ts';
import type { Surroundings } from '../check/signed-post.ts';
import { keysOf } from '../verify-webhook.ts';

/** What a test replaces. */
export interface CheckSurroundings extends Surroundings {
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A wrong argument. The message says what to give. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}

/**
 * Reads the arguments of a command.
 * @returns what `read` answers, or the exit code of a command that ends here: with its help, or because of a wrong argument
 */
export function readArguments<Options extends object>(
  read: () => Options | 'help',
  { print, printError, help }: Pick<CheckSurroundings, 'print' | 'printError'> & { readonly help: string },
): Options | 0 | 2 {
  try {
    const options = read();
    if (options !== 'help') return options;
    print(help);
    return 0;
  } catch (error) {
    if (!(error instanceof TypeError) && !(error instanceof ArgumentError)) throw error;
    printError(error.message);
    return 2;
  }
}

/**
 * Every program of the machine can read the arguments of the others.
 * @throws ArgumentError
 */
export function refuseSecrets(args: readonly string[]): void {
  if (!args.some((arg) => arg.includes('whsec_'))) return;
  throw new ArgumentError('A secret is no argument: others can read it. Set WEBHOOK_SECRETS or name a --secret-file.');
}

/**
 * The one address among the positional arguments.
 * @throws ArgumentError
 */
export function addressOf([address, ...more]: readonly string[], help: string, example: string): URL {
  if (address === undefined || more.length > 0) throw new ArgumentError(`Name one address.\n\n${help}`);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ArgumentError(`${address} is no address such as ${example}.`);
  }
  if (url.protocol === 'http:' && !isInside(url)) {
    throw new ArgumentError(`${url.host} needs https: outside a sandbox the cashier calls no http address.`);
  }
  return url;
}

/** An address that cannot be public: this machine or a private network. */
export function isInside({ hostname }: URL): boolean {
  return (
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    /\.(?:localhost|test|internal|local)$/.test(hostname) ||
    /^(?:127|10)(?:\.\d+){3}$/.test(hostname) ||
    /^(?:192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d+){2}$/.test(hostname)
  );
}

/**
 * The secrets of a file or of WEBHOOK_SECRETS.
 * @throws ArgumentError
 * @throws TypeError for a secret that is none
 */
export function secretsOf(file: string | undefined, environment: CheckSurroundings['environment']): string[] {
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

/** A result for people: the rule, its cause and its remedy. */
export function linesOf({ rule, says, result, cause, remedy }: RuleResult): string[] {
  return [
    `${marks[result]} ${rule}: ${says}.`,
    ...(cause === undefined ? [] : [`     ${result === 'failed' ? 'Cause: ' : ''}${cause}`]),
    ...(remedy === undefined ? [] : [`     Remedy: ${remedy}`]),
  ];
}

/** The last line of a report. */
export function verdictOf(passed: boolean, rules: readonly RuleResult[]): string {
  const count = (result: RuleResult['result']): number => rules.filter((rule) => rule.result === result).length;
  return passed
    ? `All ${rules.length} rules hold.`
    : `${count('passed')} rules hold, ${count('failed')} do not, ${count('skipped')} could not be proven.`;
}
