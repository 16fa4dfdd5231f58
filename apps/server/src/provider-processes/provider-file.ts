/**
 * The file of providers that are packages (docs/provider-kit.md). It lies beside the `node_modules` of these packages. Nothing of a
 * package runs in this process: its manifest is data.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ManifestError, type ProviderManifest, readManifest } from '@opencashier/provider-kit';
import * as v from 'valibot';
import { ConfigError } from '../errors/config-error.ts';

const texts = v.optional(v.record(v.string(), v.string()), {});
const fileSchema = v.strictObject({
  providers: v.record(
    v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,29}$/, 'names of small letters, digits and hyphens')),
    v.strictObject({ package: v.string(), hosts: v.optional(v.array(v.string())), secrets: texts, settings: texts }),
  ),
});
type Entry = v.InferOutput<typeof fileSchema>['providers'][string];

/** A provider that is a package, with everything that its process gets. */
export interface ProviderPackage {
  readonly name: string;
  readonly packageName: string;
  /** The package's own folder. */
  readonly folder: string;
  /** The address of its code. */
  readonly entry: string;
  readonly manifest: ProviderManifest;
  readonly manifestText: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, string>>;
  readonly hosts: readonly string[];
  /** Folders that the process may read: the package, and the packages that it may import. */
  readonly readableFolders: readonly string[];
}

/** A value such as `$PROVIDER_KEY_ACME` names an environment variable, so that secrets stay out of the file. */
const VARIABLE = /^\$(PROVIDER_KEY_[A-Z0-9_]+)$/;

/**
 * @param keys the environment variables that secrets may name
 * @throws ConfigError with a line for each mistake. No line has a secret
 */
export function readProviderFile(
  file: string,
  keys: Readonly<Record<string, string | undefined>>,
): readonly ProviderPackage[] {
  const entries = Object.entries(parse(file).providers);
  const problems: string[] = [];
  const packages = entries.flatMap(([name, entry]) => {
    try {
      return [readPackage(file, name, entry, keys)];
    } catch (error) {
      if (!(error instanceof ConfigError) && !(error instanceof ManifestError)) throw error;
      problems.push(error instanceof ConfigError ? error.message : `${name} in PROVIDERS_FILE: ${error.message}`);
      return [];
    }
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return packages;
}

function parse(file: string): v.InferOutput<typeof fileSchema> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why =
      error instanceof SyntaxError ? 'it is not valid JSON' : String(error instanceof Error ? error.message : error);
    throw new ConfigError([`PROVIDERS_FILE cannot be read: ${file}: ${why}.`]);
  }
  const result = v.safeParse(fileSchema, value);
  if (result.success) return result.output;
  const place = v.getDotPath(result.issues[0]) ?? 'the top';
  throw new ConfigError([
    `PROVIDERS_FILE is wrong at ${place}: expected ${result.issues[0].expected ?? 'another value'}.`,
  ]);
}

function readPackage(
  file: string,
  name: string,
  entry: Entry,
  keys: Readonly<Record<string, string | undefined>>,
): ProviderPackage {
  const fail = (words: string): never => {
    throw new ConfigError([`${name} in PROVIDERS_FILE: ${words}`]);
  };
  const home = dirname(resolve(file));
  const folder = folderOf(home, entry.package) ?? fail(`install ${entry.package} in ${home}, or correct its name.`);
  const manifestText =
    textOf(join(folder, 'provider.json')) ?? fail(`${entry.package} has no provider.json, so it is no provider.`);
  const manifest = readManifest(manifestText);
  if (manifest.name !== name) fail(`the package calls its provider ${manifest.name}. Use this name in the file.`);
  return {
    name,
    packageName: entry.package,
    folder,
    entry: pathToFileURL(entryOf(folder) ?? fail(`${entry.package} has no code: its package.json names none.`)).href,
    manifest,
    manifestText,
    secrets: secretsOf(manifest, entry, keys, fail),
    settings: valuesOf('setting', manifest.settings, entry.settings, fail),
    hosts: entry.hosts ?? fail(hostsMissing(entry.package, manifest)),
    readableFolders: readableFrom(home, folder),
  };
}

/** Whoever runs the server decides about hosts. The package only says which it was written for. */
function hostsMissing(name: string, { hosts }: ProviderManifest): string {
  const list = JSON.stringify(hosts);
  return `hosts is missing. ${name} was written for ${list}: add "hosts": ${list} if you agree.`;
}

function valuesOf(
  what: 'secret' | 'setting',
  names: readonly string[],
  given: Readonly<Record<string, string>>,
  fail: (words: string) => never,
): Record<string, string> {
  for (const name of Object.keys(given)) {
    if (!names.includes(name)) fail(`the package knows no ${what} ${name}. It has ${names.join(', ') || 'none'}.`);
  }
  return Object.fromEntries(names.map((name) => [name, given[name] || fail(`the ${what} ${name} is missing.`)]));
}

function secretsOf(
  { secrets }: ProviderManifest,
  entry: Entry,
  keys: Readonly<Record<string, string | undefined>>,
  fail: (words: string) => never,
): Record<string, string> {
  const values = valuesOf('secret', secrets, entry.secrets, fail);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const variable =
        VARIABLE.exec(value)?.[1] ?? fail(`the secret ${name} must name a variable, such as $PROVIDER_KEY_ACME.`);
      return [name, keys[variable] || fail(`${variable} is not set. The secret ${name} needs it.`)];
    }),
  );
}

/** The real folder of a package, by its name or by a path such as `./acme`. */
function folderOf(home: string, name: string): string | undefined {
  const paths = name.startsWith('.')
    ? [resolve(home, name)]
    : (createRequire(join(home, 'providers.json')).resolve.paths(name) ?? []).map((path) => join(path, name));
  for (const path of paths) {
    if (textOf(join(path, 'package.json')) !== undefined) return realpathSync(path);
  }
  return undefined;
}

/** The file that `exports` or `main` of a package.json names. */
function entryOf(folder: string): string | undefined {
  const { exports, main } = JSON.parse(textOf(join(folder, 'package.json')) ?? '{}') as {
    exports?: unknown;
    main?: unknown;
  };
  const file = targetOf(exports) ?? (typeof main === 'string' ? main : undefined);
  return file === undefined ? undefined : join(folder, file);
}

function targetOf(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  if (typeof exports !== 'object' || exports === null) return undefined;
  const conditions = exports as Readonly<Record<string, unknown>>;
  for (const key of ['.', 'node', 'import', 'default']) {
    const target = targetOf(conditions[key]);
    if (target !== undefined) return target;
  }
  return undefined;
}

/** The package itself and every `node_modules` that its imports can reach. Nothing else of the server's files. */
function readableFrom(home: string, folder: string): string[] {
  const above = createRequire(join(folder, 'provider.json')).resolve.paths('x') ?? [];
  const all = [folder, ...above, join(home, 'node_modules')];
  return [...new Set(all)].filter((path) => path.startsWith(folder) || path.endsWith('/node_modules')).filter(existing);
}

function existing(path: string): boolean {
  try {
    return realpathSync(path) !== '';
  } catch {
    return false;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
