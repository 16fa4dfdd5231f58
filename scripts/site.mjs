/**
 * `npm run site`: builds the documentation site from docs/ into apps/site/dist, and checks its links.
 * `npm run site -- --serve` shows it on SITE_PORT (3003) afterwards.
 * `npm run site -- --as 0.1` builds this checkout as version 0.1 beside the newest one. The picker of versions lists both.
 *
 * SITE_URL is the address at which the site is published; its path is the first part of every link.
 * PUBLIC_DEMO_URL is the demo operator that the live demo asks for tokens.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled } from './machine/install.mjs';
import { root } from './machine/paths.mjs';
import { portFromEnvironment } from './machine/ports.mjs';
import { run } from './machine/run.mjs';
import { problemsOfSite } from './site/check-site.mjs';
import { publishedAt } from './site/published-at.mjs';

const site = join(root, 'apps/site');
const output = join(site, 'dist');
const versionsFile = join(output, 'versions.json');

/**
 * @param {{ version?: string, show?: boolean }} options `version` builds an older version beside the newest one
 * @returns {Promise<string>} what is wrong with the build; empty: nothing
 */
export async function buildSite({ version, show = false } = {}) {
  const { origin, path } = publishedAt();
  const base = version === undefined ? path : `${path}${version}/`;
  const built = join(site, '.astro/build');
  const env = {
    ASTRO_TELEMETRY_DISABLED: '1',
    NODE_ENV: 'production',
    SITE_ORIGIN: origin,
    SITE_ROOT: path,
    SITE_BASE: base,
    SITE_OUT: built,
    SITE_REVISION: version === undefined ? 'main' : `v${version}`,
    SITE_VERSION: version ?? 'latest',
  };
  // Pages that were rendered by older plugins would stay otherwise.
  const result = await run('astro', ['build', '--force'], { cwd: site, env, show, timeoutMs: 10 * 60_000 });
  if (!result.ok) return result.output || 'The site was not built; its message is above.';
  const problems = problemsOfSite(built, base, origin);
  if (problems.length > 0) return problems.join('\n');
  publish(built, version);
  return '';
}

/** Puts a build in its place. Other versions stay. */
function publish(built, version) {
  const others = existsSync(versionsFile) ? JSON.parse(readFileSync(versionsFile, 'utf8')).versions : [];
  const older = others.filter(({ path, name }) => path !== '' && name !== version);
  const kept = new Set([...others.map(({ path }) => path.replace('/', '')), 'versions.json']);
  mkdirSync(output, { recursive: true });
  if (version === undefined) {
    for (const name of readdirSync(output)) if (!kept.has(name)) rmSync(join(output, name), { recursive: true });
  } else {
    rmSync(join(output, version), { recursive: true, force: true });
  }
  cpSync(built, version === undefined ? output : join(output, version), { recursive: true });
  const versions = [
    { name: 'latest', path: '' },
    ...[...older, ...(version === undefined ? [] : [{ name: version, path: `${version}/` }])].sort((one, other) =>
      other.name.localeCompare(one.name, 'en', { numeric: true }),
    ),
  ];
  writeFileSync(versionsFile, `${JSON.stringify({ versions }, null, 2)}\n`);
}

async function serve() {
  const { preview } = await import('vite');
  const { path } = publishedAt();
  const port = portFromEnvironment('SITE_PORT', 3003);
  await preview({
    root: site,
    base: path,
    appType: 'mpa',
    configFile: false,
    build: { outDir: output },
    preview: { port, strictPort: true },
  });
  console.log(`The documentation is on http://localhost:${port}${path}\nStop with Ctrl+C.`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await ensureInstalled();
    const at = process.argv.indexOf('--as');
    const version = at < 0 ? undefined : process.argv[at + 1];
    if (at >= 0 && !/^\d+(?:\.\d+){0,2}$/.test(version ?? '')) {
      throw new Error('Name the version: npm run site -- --as 0.1');
    }
    const problem = await buildSite({ version, show: true });
    if (problem !== '') throw new Error(problem);
    console.log(`The site is in apps/site/dist${version === undefined ? '' : `/${version}`}.`);
    if (process.argv.includes('--serve')) await serve();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
