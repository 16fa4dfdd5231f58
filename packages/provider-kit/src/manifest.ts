/**
 * What a package declares about its provider, in `provider.json` beside its `package.json`. The cashier reads it without running any
 * code of the package.
 */

/** The version of the interface in this kit. A cashier refuses packages of another version. */
export const KIT_VERSION = 1;

export interface ProviderManifest {
  /** The version of the kit's interface, {@link KIT_VERSION}. */
  readonly kit: number;
  /** The name of the provider. The catalogue and the address for callbacks use it. */
  readonly name: string;
  /** The names of the secrets that the provider needs, such as `secretKey`. It gets no others. */
  readonly secrets: readonly string[];
  /** The names of further settings that it needs, such as `apiUrl`. */
  readonly settings: readonly string[];
  /** The hosts that it sends requests to, such as `api.acme.example`. With a port where it is not that of https. */
  readonly hosts: readonly string[];
  /** The optional methods that it has. The cashier uses no other. */
  readonly does: readonly OptionalMethod[];
  /** Milliseconds between two rounds. Needed with `watch`, absent without. */
  readonly watchIdleMs?: number;
  /** The networks of coins that it has. Absent: every network. */
  readonly networks?: readonly string[];
  /** The company's limits by currency, as decimal strings. No catalogue goes beyond them. */
  readonly limits: Readonly<Record<string, { readonly min?: string; readonly max?: string }>>;
  /** The values of `providerOptions` that take only some, by the option's name. Other options take any text. */
  readonly options: Readonly<Record<string, readonly string[]>>;
  /** Absent: all operators share the account of the installation. */
  readonly accounts?: ProviderAccounts;
}

/** How operators have accounts of their own at the company. Each account has all `secrets`. */
export interface ProviderAccounts {
  /** The settings that an account may have of its own. All others are those of the installation. */
  readonly settings: readonly string[];
  /** Secrets that are known only after the account has its address for callbacks. */
  readonly lateSecrets: readonly string[];
  /** How a secret of the company's test mode begins, by the secret's name. Every other beginning is the live mode. */
  readonly testSecrets: Readonly<Record<string, string>>;
}

/** The optional methods of a provider. `withdrawals` is the half that pays out. */
export const OPTIONAL_METHODS = ['cancel', 'takeInputs', 'refund', 'continue', 'watch', 'withdrawals', 'list'] as const;
export type OptionalMethod = (typeof OPTIONAL_METHODS)[number];

/** Something in a package or in its manifest is wrong. The message names the place and what is expected there. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
}

const NAME = /^[a-z][a-z0-9-]{0,29}$/;
const WORD = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/;
const CURRENCY = /^[A-Z0-9]{2,10}$/;
const AMOUNT = /^\d{1,20}(?:\.\d{1,18})?$/;
const OPTION = /^[\w-]{1,64}$/;
const known: ReadonlySet<string> = new Set<keyof ProviderManifest>([
  'kit',
  'name',
  'secrets',
  'settings',
  'hosts',
  'does',
  'watchIdleMs',
  'networks',
  'limits',
  'options',
  'accounts',
]);

/**
 * Reads the text of `provider.json`.
 * @throws ManifestError
 */
export function readManifest(text: string): ProviderManifest {
  const given = recordOf(parsed(text), 'The manifest');
  for (const name of Object.keys(given)) {
    if (!known.has(name) && name !== '$schema') throw new ManifestError(`provider.json: ${name} is not known.`);
  }
  const { kit, name, watchIdleMs, networks } = given;
  if (kit !== KIT_VERSION) {
    throw new ManifestError(`provider.json: kit must be ${KIT_VERSION}, the version of the interface. It is ${kit}.`);
  }
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new ManifestError('provider.json: name must have small letters, digits and hyphens, at most 30.');
  }
  const does = wordsOf(given, 'does', new RegExp(`^(?:${OPTIONAL_METHODS.join('|')})$`)) as readonly OptionalMethod[];
  if (does.includes('watch') !== isPause(watchIdleMs)) {
    throw new ManifestError('provider.json: watchIdleMs must be a number from 100, and belongs to watch alone.');
  }
  const secrets = wordsOf(given, 'secrets', WORD);
  const settings = wordsOf(given, 'settings', WORD);
  if (given['accounts'] !== undefined && does.includes('watch')) {
    throw new ManifestError('provider.json: a provider with watch has no accounts, because it watches for all.');
  }
  if (given['accounts'] === undefined && does.includes('list')) {
    throw new ManifestError('provider.json: list needs accounts, because the list of an account is read.');
  }
  return {
    kit,
    name,
    secrets,
    settings,
    hosts: wordsOf(given, 'hosts', HOST),
    does,
    ...(isPause(watchIdleMs) && { watchIdleMs }),
    ...(networks !== undefined && { networks: wordsOf(given, 'networks', OPTION) }),
    limits: limitsOf(given['limits']),
    options: optionsOf(given['options']),
    ...(given['accounts'] !== undefined && { accounts: accountsOf(given['accounts'], { secrets, settings }) }),
  };
}

function accountsOf(
  given: unknown,
  known: { readonly secrets: readonly string[]; readonly settings: readonly string[] },
): ProviderAccounts {
  const accounts = recordOf(given, 'accounts');
  const testSecrets = recordOf(accounts['testSecrets'] ?? {}, 'accounts.testSecrets');
  const read: ProviderAccounts = {
    settings: wordsOf(accounts, 'settings', WORD),
    lateSecrets: wordsOf(accounts, 'lateSecrets', WORD),
    testSecrets: Object.fromEntries(Object.entries(testSecrets).map(([name, begins]) => [name, String(begins)])),
  };
  const strangers = [
    ...read.settings.filter((name) => !known.settings.includes(name)),
    ...[...read.lateSecrets, ...Object.keys(testSecrets)].filter((name) => !known.secrets.includes(name)),
  ];
  if (strangers.length > 0)
    throw new ManifestError(`provider.json: accounts names ${strangers[0]}, which is not declared.`);
  return read;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ManifestError('provider.json is not valid JSON.', { cause: error });
  }
}

function isPause(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 100;
}

function recordOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new ManifestError(`provider.json: ${what} must be an object.`);
}

/** A list of words; absent: an empty one. */
function wordsOf(given: Readonly<Record<string, unknown>>, field: string, form: RegExp): readonly string[] {
  const value = given[field] ?? [];
  const isList = (list: unknown): list is string[] =>
    Array.isArray(list) && list.length <= 100 && list.every((word) => typeof word === 'string' && form.test(word));
  if (isList(value)) return value;
  throw new ManifestError(`provider.json: ${field} must be a list of words of the form ${form.source}.`);
}

function limitsOf(given: unknown): ProviderManifest['limits'] {
  const isAmount = (value: unknown) => value === undefined || (typeof value === 'string' && AMOUNT.test(value));
  const entries = Object.entries(recordOf(given ?? {}, 'limits')).map(([currency, limit]) => {
    const { min, max } = recordOf(limit, `limits.${currency}`);
    if (!CURRENCY.test(currency) || !isAmount(min) || !isAmount(max)) {
      throw new ManifestError(`provider.json: limits.${currency} must have min and max such as "5.00", by a currency.`);
    }
    return [currency, { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }];
  });
  return Object.fromEntries(entries);
}

function optionsOf(given: unknown): ProviderManifest['options'] {
  const options = recordOf(given ?? {}, 'options');
  return Object.fromEntries(Object.keys(options).map((name) => [name, wordsOf(options, name, OPTION)]));
}
