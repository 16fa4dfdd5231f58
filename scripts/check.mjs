/**
 * `npm run check`: runs every check that needs no build, database or browser. Takes less than a minute.
 *
 * Runs all steps, and exits with 1 if one failed. Shows only the output of failed steps.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled } from './machine/install.mjs';
import { root } from './machine/paths.mjs';
import { countsOf, printTable, vitestReport } from './machine/results.mjs';
import { run, runTogether } from './machine/run.mjs';

const commands = {
  // The longest first, while the others run on the second core.
  tests: ['vitest', ['run', '--project', 'unit', '--project', 'dom', ...vitestReport('tests', 'dot')]],
  types: ['tsc', ['--noEmit', '-p', 'tsconfig.json']],
  style: ['biome', ['check', '--error-on-warnings', '--colors=off', '.']],
  architecture: ['node', ['tools/architecture/check.mjs']],
  // A lockfile that npm ci refuses breaks every fresh clone. Nobody who has node_modules notices.
  lockfile: ['npm', ['ci', '--dry-run', '--offline', '--ignore-scripts', '--loglevel=error']],
  'dead code': ['knip', ['--no-progress']],
  // Tests do not count as users: a rule that only its test calls proves nothing about the product.
  'code of tests alone': ['knip', ['--production', '--no-progress', '-c', 'knip.production.jsonc']],
  ...optional('documents', 'scripts/docs.ts', ['tsx', ['scripts/docs.ts', '--check']]),
  ...optional('SDKs', 'scripts/sdk.ts', ['tsx', ['scripts/sdk.ts', '--check']]),
  ...optional('clients', 'tools/clients/check.mjs', ['node', ['tools/clients/check.mjs']]),
  ...optional('languages', 'scripts/locales.mjs', ['node', ['scripts/locales.mjs', '--check']]),
};

function optional(name, file, command) {
  return existsSync(join(root, file)) ? { [name]: command } : {};
}

/**
 * @returns {Promise<{ name: string, ok: boolean, seconds: number, counts?: { passed: number, failed: number } }[]>}
 */
export async function check() {
  const results = await runTogether(
    Object.entries(commands).map(([name, [command, args]]) => ({
      name,
      run: () => run(command, args, { env: { NODE_ENV: '' }, timeoutMs: 5 * 60_000 }),
    })),
    2,
  );
  return Object.keys(commands).map((name) => {
    const { ok, output, seconds } = results.get(name);
    if (!ok) console.error(`\n--- ${name} ---\n${output.trimEnd()}`);
    return {
      name,
      ok,
      seconds,
      ...(name === 'tests' ? { counts: countsOf('tests') ?? { passed: 0, failed: 1 } } : {}),
    };
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await ensureInstalled();
    const steps = await check();
    printTable(steps);
    const failed = steps.filter(({ ok }) => !ok);
    console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.map(({ name }) => name).join(', ')}.`);
    process.exitCode = failed.length === 0 ? 0 : 1;
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
