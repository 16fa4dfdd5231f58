/**
 * `npm run build`: builds every workspace that has a `build` script and whose sources changed since its last build.
 * `npm run build -- --force` builds all of them.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fingerprint } from './machine/fingerprint.mjs';
import { ensureInstalled } from './machine/install.mjs';
import { cache, root } from './machine/paths.mjs';
import { run, runTogether } from './machine/run.mjs';

const stamps = join(cache, 'build');
// Every build depends on these, besides its own folder.
const shared = [
  'packages',
  'locales',
  'scripts/locales',
  'scripts/packages/finish-declarations.mjs',
  'package-lock.json',
  'tsconfig.json',
];
// The demo's page and backend load the built SDKs. Providers are compiled against the built kit.
const after = {
  'apps/demo': ['packages/embed', 'packages/server'],
  'packages/provider-checkout-com': ['packages/provider-kit'],
  'packages/provider-paystack': ['packages/provider-kit'],
};

/** The workspaces with a build script, as { name, script }. */
export function buildable() {
  return ['packages', 'apps']
    .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}`))
    .filter((name) => existsSync(join(root, name, 'package.json')))
    .map((name) => ({
      name,
      script: JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8')).scripts?.build,
    }))
    .filter(({ script }) => script !== undefined);
}

/**
 * Builds what is stale, two workspaces at a time.
 *
 * @param {{ force?: boolean, except?: string[] }} options `except` names workspaces to leave out, such as `apps/widget`
 * @throws when a build fails, after printing its output
 */
export async function build({ force = false, except = [] } = {}) {
  // PRODUCT is the first segment of every address in the widget's build.
  const common = `${fingerprint(shared)} ${process.env['PRODUCT'] ?? ''}`;
  const stale = buildable()
    .filter(({ name }) => !except.includes(name))
    .map(({ name }) => ({ name, stamp: `${common} ${fingerprint([name])}` }))
    .filter(({ name, stamp }) => force || !isFresh(name, stamp));
  if (stale.length === 0) return;

  console.log(`Building ${stale.map(({ name }) => name).join(', ')}…`);
  const results = await runTogether(
    stale.map(({ name, stamp }) => ({
      name,
      after: after[name] ?? [],
      run: async () => {
        const result = await run('npm', ['run', '--silent', 'build'], {
          cwd: join(root, name),
          env: { NODE_ENV: 'production' },
        });
        if (result.ok) remember(name, stamp);
        // A missing translation does not stop a build, but is reported (scripts/locales.mjs).
        for (const line of result.output.split('\n')) if (line.startsWith('languages:')) console.warn(line);
        return result;
      },
    })),
    2,
  );
  const failed = [...results].filter(([, { ok }]) => !ok);
  for (const [name, { output }] of failed) console.error(`\n${output}\nThe build of ${name} failed.`);
  if (failed.length > 0) throw new Error(`${failed.length} of ${stale.length} builds failed.`);
}

const stampFile = (name) => join(stamps, `${name.replace('/', '-')}.json`);

function remember(name, stamp) {
  mkdirSync(stamps, { recursive: true });
  writeFileSync(stampFile(name), JSON.stringify({ stamp, output: fingerprint([`${name}/dist`]) }));
}

// The built files are compared, too: `npm run dev` writes the same files, and somebody may have emptied the folder.
function isFresh(name, stamp) {
  if (!existsSync(stampFile(name)) || !existsSync(join(root, name, 'dist'))) return false;
  const last = JSON.parse(readFileSync(stampFile(name), 'utf8'));
  return last.stamp === stamp && last.output === fingerprint([`${name}/dist`]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await ensureInstalled();
    await build({ force: process.argv.includes('--force') });
    console.log('The build is up to date.');
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
