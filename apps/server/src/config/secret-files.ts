/** Secrets in files, as Docker and Kubernetes mount them: `TOKEN_SECRET_FILE` names the file that holds `TOKEN_SECRET`. */
import { readFileSync } from 'node:fs';
import { ConfigError } from '../errors/config-error.ts';
import type { Environment } from './config-schema.ts';

/** The settings of which each may come from a file. An address may hold a password. */
export const secretSettings = [
  'DATABASE_URL',
  'REDIS_URL',
  'SEED_DEMO_OPERATOR_KEY',
  'SEED_DEMO_WEBHOOK_SECRET',
  'SANDBOX_PROVIDER_SECRET',
  'TOKEN_SECRET',
  'DATA_KEY',
  'MASTER_KEY',
  'METRICS_TOKEN',
  'GEETEST_KEY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
] as const;

/** Secrets that only the command line reads. No node gets them. */
const ofCommands = ['DATABASE_OWNER_URL', 'CELL_DATABASES'];
const SUFFIX = '_FILE';
/** Keys of chains' nodes, and secrets of providers that are packages, have names that their files choose. */
const namedInFiles = /^(?:CHAIN|PROVIDER)_KEY_\w+$/;
/** Nothing that is meant to be a secret is larger. */
const MOST_BYTES = 64 * 1024;

/** The names of all variables that name a file, such as `TOKEN_SECRET_FILE`; without those that files name. */
export const secretFileNames: readonly string[] = [...secretSettings, ...ofCommands].map((name) => `${name}${SUFFIX}`);

/**
 * Reads the secrets, each from its variable or from its file.
 * @returns the values that are set, and a line for each file that cannot be used; no line has the content of a file
 */
export function readSecrets(environment: Environment): {
  readonly secrets: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
} {
  const secrets = new Map<string, string>();
  const problems: string[] = [];
  for (const name of [...secretSettings, ...keysOfFiles(environment)]) {
    try {
      const value = settingOf(environment, name);
      if (value !== undefined) secrets.set(name, value);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(error.message);
    }
  }
  return { secrets, problems };
}

/**
 * A setting that may come from a file, without white space at its ends. Undefined: not set. An empty file counts as not set, too.
 * @throws ConfigError if both are set, or the file cannot be read
 */
export function settingOf(environment: Environment, name: string): string | undefined {
  const file = environment[`${name}${SUFFIX}`]?.trim();
  const value = environment[name]?.trim() || undefined;
  if (!file) return value;
  if (value !== undefined) throw new ConfigError([`${name} and ${name}${SUFFIX} are both set. Remove one of them.`]);
  return contentOf(file, `${name}${SUFFIX}`) || undefined;
}

function contentOf(file: string, name: string): string {
  let content: Buffer;
  try {
    content = readFileSync(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new ConfigError([`${name} must be a file that the server’s user can read: ${file}: ${code}.`]);
  }
  if (content.length > MOST_BYTES)
    throw new ConfigError([`${name} must be a file with one secret: ${file} is too large.`]);
  return content.toString('utf8').trim();
}

function keysOfFiles(environment: Environment): string[] {
  const names = Object.keys(environment).filter((name) => namedInFiles.test(name));
  return [...new Set(names.map((name) => (name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : name)))];
}
