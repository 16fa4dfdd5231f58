/**
 * `npm run check`: runs every check that needs no build, database or browser.
 *
 * A check whose files have not changed since it passed here is skipped, and so is each such test file. What has no time within 90 s waits
 * for the next check; `--to-the-end` gives it the time. The table says both. Nothing is skipped, and nothing waits, in `npm test`, in
 * `npm run check -- --all` and with `CI` set. A property test gets half a second of the processor here, two seconds where
 * nothing is skipped, and all of its runs in `npm test`. Runs all steps, and exits with 1 if one failed. Shows only the output of failed steps.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openPassed } from './checks/passed.mjs';
import { styleOfFiles } from './checks/style.mjs';
import { unitTests } from './checks/unit-tests.mjs';
import { printFailures } from './machine/failures.mjs';
import { ensureInstalled } from './machine/install.mjs';
import { cache } from './machine/paths.mjs';
import { printTable } from './machine/results.mjs';
import { run as runProgram, runTogether } from './machine/run.mjs';
import { hashOf, sourceFiles } from './machine/source-files.mjs';

const timeoutMs = 15 * 60_000;
/** No step and no test starts later than this after the start of the check. What runs then takes the rest of 90 s. */
const lastStartMs = 70_000;

/** Programs by name; `of` tells which files the result depends on, if not on all. */
const commands = {
  types: {
    command: 'tsc',
    // Each further checker reads the types of the packages again. With more memory the compiler collects garbage less often.
    args: ['--noEmit', '-p', 'tsconfig.json', '--checkers', '1'],
    env: { GOGC: '400' },
    of: (path) => /\.([cm]?[jt]sx?|json)$/.test(path) && !path.startsWith('docs/'),
  },
  architecture: {
    command: 'node',
    args: ['tools/architecture/check.mjs'],
    // The check compares the page of the layers with the folders.
    of: (path) => isCode(path) || path === 'docs/architecture-of-the-server.md',
  },
  // A lockfile that npm ci refuses breaks every fresh clone. Nobody who has node_modules notices.
  lockfile: {
    command: 'npm',
    args: ['ci', '--dry-run', '--offline', '--ignore-scripts', '--loglevel=error'],
    of: (path) => /(?:^|\/)(?:package|package-lock)\.json$/.test(path),
  },
  'dead code': { command: 'knip', args: ['--no-progress'], of: isCode },
  // Tests do not count as users: a rule that only its test calls proves nothing about the product.
  'code of tests alone': {
    command: 'knip',
    args: ['--production', '--no-progress', '-c', 'knip.production.jsonc'],
    of: isCode,
  },
  documents: {
    command: 'tsx',
    args: ['scripts/docs.ts', '--check'],
    of: under('scripts/', 'packages/', 'docs/', 'apps/server/package.json'),
  },
  SDKs: {
    command: 'tsx',
    args: ['scripts/sdk.ts', '--check'],
    of: under('scripts/', 'packages/', 'docs/reference/', 'sdks/'),
  },
  clients: {
    command: 'node',
    args: ['tools/clients/check.mjs'],
    of: under('tools/clients/', 'docs/reference/openapi.json'),
  },
  languages: {
    command: 'node',
    args: ['scripts/locales.mjs', '--check'],
    of: under('scripts/', 'locales/', 'packages/', 'apps/', 'docs/languages.md', 'docs/glossaries/'),
  },
};

/** Files in these folders, or these files. */
function under(...places) {
  return (path) => places.some((place) => path.startsWith(place));
}

/** Programs, and what names programs: settings, style sheets, pages and the components of other frameworks. */
function isCode(path) {
  return !/\.(?:md|svg|png|webp|sql|py|php|go)$/.test(path);
}

/**
 * @param {{ everything?: boolean, allRuns?: boolean, isLimited?: boolean }} [options] `everything`: skips nothing that has passed before;
 *   `allRuns`: of property tests; `isLimited`: leaves steps and test files for the next check when the time is over
 * @returns {Promise<{ name: string, ok: boolean, seconds: number, isIncomplete: boolean, skipped?: string,
 *   counts?: { passed: number, failed: number }, failures?: ReturnType<typeof import('./machine/failures.mjs').failuresOf> }[]>}
 *   `isIncomplete`: there was no time for all of it
 */
export async function check({ everything = true, allRuns = true, isLimited = false } = {}) {
  const until = isLimited ? Date.now() + lastStartMs : undefined;
  const files = await sourceFiles();
  const passed = openPassed(join(cache, 'check'), files);
  const isFresh = (key) => !everything && passed.has(key);
  const tasks = [
    // The longest first, while the others run on the second core.
    { name: 'tests', run: () => unitTests({ files, passed, everything, allRuns, until, timeoutMs }) },
    { name: 'style', run: () => styleOfFiles({ files, passed, everything, isLimited, timeoutMs }) },
    ...Object.entries(commands).map(([name, { command, args, of, env }]) => ({
      name,
      run: async () => {
        const key = passed.keyOf(name, [command, ...args], of);
        if (isFresh(key)) return { ok: true, seconds: 0, skipped: 'nothing that it depends on has changed' };
        if (until !== undefined && Date.now() > until) {
          return { ok: true, seconds: 0, skipped: 'had no time', isIncomplete: true };
        }
        const more = everything ? [] : remembering(name, files);
        const result = await runProgram(command, [...args, ...more], { env: { NODE_ENV: '', ...env }, timeoutMs });
        if (result.ok) passed.add(key);
        return result;
      },
    })),
  ];
  const results = await runTogether(tasks.map(announced), 2);
  return tasks.map(({ name }) => {
    const { output = '', ...result } = results.get(name);
    if (!result.ok) console.error(`\n--- ${name} ---\n${output.trimEnd()}`);
    const { ok, seconds, skipped, counts, failures, isIncomplete = false } = result;
    return { name, ok, seconds, isIncomplete, ...(skipped && { skipped }), ...(counts && { counts, failures }) };
  });
}

/** Says that a step has ended, because the table comes minutes later. */
function announced({ name, run }) {
  return {
    name,
    run: async () => {
      const result = await run();
      if (result.skipped === undefined || result.seconds > 0) {
        console.log(`${result.ok ? 'ok  ' : 'FAIL'}  ${name}, ${result.seconds.toFixed(1)} s`);
      }
      return result;
    },
  };
}

/** Arguments with which a program stores what it has read of each file. Next time it reads only files that have changed. */
function remembering(name, files) {
  const place = join(cache, 'check', name.replaceAll(' ', '-'));
  if (name === 'types') return ['--incremental', '--tsBuildInfoFile', `${place}.tsbuildinfo`];
  if (commands[name].command !== 'knip' || files === undefined) return [];
  // A setting may change what a name in an unchanged file means.
  const settings = [...files.keys()].filter((path) => /(?:^|\/)(?:package|tsconfig|knip)[^/]*\.jsonc?$/.test(path));
  return ['--cache', '--cache-location', `${place}-${hashOf(settings, files).slice(0, 16)}`];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await ensureInstalled();
    const everything = process.argv.includes('--all') || ![undefined, '', 'false', '0'].includes(process.env['CI']);
    const isLimited = !everything && !process.argv.includes('--to-the-end');
    const steps = await check({ everything, allRuns: false, isLimited });
    printTable(steps);
    for (const { name, failures = [] } of steps) printFailures(name, failures);
    const failed = steps.filter(({ ok }) => !ok);
    if (failed.length > 0) console.log(`Failed: ${failed.map(({ name }) => name).join(', ')}.`);
    else if (steps.every(({ isIncomplete }) => !isIncomplete)) console.log('All checks passed.');
    else console.log('What had time has passed. For the rest run it again, or `npm run check -- --to-the-end`.');
    process.exitCode = failed.length === 0 ? 0 : 1;
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
