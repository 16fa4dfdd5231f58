/**
 * `npm run examples`: builds the examples of pages as their readers would, and runs the example of a backend beside a cashier in
 * its sandbox. Then it executes the samples of the documents beside a sandbox (scripts/samples). Needs `npm run build` and no network.
 * `npm run examples -- next remix astro` also installs and builds these whole sites, and makes a deposit in each in a browser. It fetches
 * 150 to 300 MB for each, so npm test leaves them out, and .github/workflows/examples.yml
 * runs them every night.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { backendAgainstSandbox } from './examples/against-sandbox.mjs';
import { siteDeposit, sites } from './examples/site-deposit.mjs';
import { cache, root } from './machine/paths.mjs';
import { printTable } from './machine/results.mjs';
import { run } from './machine/run.mjs';

const pages = ['react', 'vue', 'svelte'];

/**
 * @param {{ withSites?: readonly string[] }} [options] names of whole sites
 * @returns {Promise<{ name: string, ok: boolean, seconds: number }[]>}
 */
export async function buildExamples({ withSites = [] } = {}) {
  const steps = [];
  for (const name of pages) {
    const args = ['build', '--outDir', join(cache, 'examples', name), '--emptyOutDir', '--logLevel', 'warn'];
    const result = await run('vite', args, {
      cwd: join(root, 'examples', name),
      env: { NODE_ENV: 'production' },
      timeoutMs: 2 * 60_000,
    });
    if (!result.ok) console.error(`\n--- example ${name} ---\n${result.output.trimEnd()}`);
    steps.push({ name: `example ${name}`, ok: result.ok, seconds: result.seconds });
  }
  const started = performance.now();
  const problem = await backendAgainstSandbox();
  if (problem !== '') console.error(`\n--- example backend ---\n${problem}`);
  steps.push({
    name: 'example backend in the sandbox',
    ok: problem === '',
    seconds: (performance.now() - started) / 1000,
  });
  steps.push(await runSamples());
  for (const name of withSites) steps.push(await buildSite(name));
  return steps;
}

async function runSamples() {
  const { ok, output, seconds } = await run('tsx', ['scripts/samples/run-samples.ts'], { timeoutMs: 5 * 60_000 });
  if (!ok) console.error(`\n--- samples of the documents ---\n${output.trimEnd()}`);
  return { name: 'samples of the documents', ok, seconds };
}

/** Outside the checkout, with the archives of the packages, as a reader has it. */
async function buildSite(name) {
  const started = performance.now();
  const folder = mkdtempSync(join(tmpdir(), `opencashier-${name}-`));
  try {
    const problem = await installAndTry(name, folder);
    if (problem !== '') console.error(`\n--- example ${name} ---\n${problem}`);
    return { name: `example ${name}`, ok: problem === '', seconds: (performance.now() - started) / 1000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function installAndTry(name, folder) {
  cpSync(join(root, 'examples', name), folder, {
    recursive: true,
    filter: (path) => !/\/(?:node_modules|build|dist|\.[^/]+)$/.test(path),
  });
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const ours = Object.keys(manifest.dependencies).filter((dependency) => dependency.startsWith('@opencashier/'));
  for (const dependency of ours) {
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
    const pack = await run('npm', args, { cwd: join(root, 'packages', dependency.split('/')[1]) });
    if (!pack.ok) return pack.output;
    manifest.dependencies[dependency] = `file:./${pack.output.trim()}`;
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const scripts = ['typecheck', 'build']
    .filter((script) => script in manifest.scripts)
    .map((script) => ['run', script]);
  for (const args of [['install', '--no-audit', '--no-fund'], ...scripts]) {
    const env = { NODE_ENV: '', NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' };
    const { ok, output } = await run('npm', args, { cwd: folder, env, timeoutMs: 10 * 60_000 });
    if (!ok) return `npm ${args.join(' ')}:\n${output.trimEnd()}`;
  }
  return siteDeposit(name, folder);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const withSites = process.argv.slice(2);
  const unknown = withSites.filter((name) => !(name in sites));
  if (unknown.length > 0) {
    console.error(`There is no site ${unknown.join(', ')}. There are: ${Object.keys(sites).join(', ')}.`);
    process.exitCode = 2;
  } else {
    const steps = await buildExamples({ withSites });
    printTable(steps);
    process.exitCode = steps.every(({ ok }) => ok) ? 0 : 1;
  }
}
