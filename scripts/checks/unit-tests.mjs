/** The unit tests and the tests of components, as a step of `npm run check`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failuresOf } from '../machine/failures.mjs';
import { cache } from '../machine/paths.mjs';
import { countsOf, reportOf, testFileRuns, vitestReport } from '../machine/results.mjs';
import { run as runProgram } from '../machine/run.mjs';
import { changedFiles } from '../machine/source-files.mjs';
import { namesOf, testInputs } from './inputs.mjs';
import { openLastRuns } from './last-runs.mjs';
import { inOrder } from './test-order.mjs';

const folder = join(cache, 'check');
/** A property test starts no further run after this time. It makes at least ten runs. `npm test` makes all of them. */
const propertyMs = { some: 500, everything: 2000 };

/**
 * Runs the test files that have not passed here with the same files, or all of them.
 *
 * @param {object} options
 * @param {Map<string, string> | undefined} options.files hashes by path
 * @param {ReturnType<import('./passed.mjs').openPassed>} options.passed
 * @param {boolean} options.everything also files that have passed before
 * @param {boolean} options.allRuns of property tests
 * @param {number | undefined} options.until no further test starts after this time, in milliseconds since 1970
 * @param {number} options.timeoutMs
 */
export async function unitTests({ files, passed, everything, allRuns, until, timeoutMs }) {
  const inputs = files === undefined ? new Map() : testInputs(files);
  const keys = new Map([...inputs].map(([test, of]) => [test, passed.keyOf(test, ['vitest'], of)]));
  const stale =
    everything || keys.size === 0 ? undefined : [...keys.keys()].filter((test) => !passed.has(keys.get(test)));
  if (stale?.length === 0) return { ok: true, seconds: 0, skipped: `all ${keys.size} files have passed before` };
  const lastRuns = openLastRuns(folder);
  const limit =
    stale === undefined || until === undefined ? undefined : await limited(stale, { files, lastRuns, until });
  const env = {
    NODE_ENV: '',
    ...(allRuns ? {} : { PROPERTY_MS: String(everything ? propertyMs.everything : propertyMs.some) }),
    ...limit?.env,
  };
  const some = stale !== undefined && stale.length < keys.size;
  const args = [
    'run',
    '--project',
    'unit',
    '--project',
    'dom',
    ...vitestReport('tests', 'dot'),
    ...(limit?.args ?? []),
  ];
  const result = await runProgram('vitest', [...args, ...(some ? stale : [])], { env, timeoutMs });
  const ended = testFileRuns('tests').filter(({ outcome }) => outcome !== 'left');
  const hasFailed = ({ outcome }) => outcome === 'failed';
  // An error outside of tests makes a run red, and the report does not say in which file.
  const passedNow = result.ok || ended.some(hasFailed) ? ended.filter((run) => !hasFailed(run)) : [];
  for (const { test } of passedNow) passed.add(keys.get(test));
  lastRuns.add(
    ended.map((run) => ({ test: run.test, seconds: run.seconds, failed: hasFailed(run) })),
    new Set(keys.keys()),
  );
  const left = limit === undefined ? 0 : stale.length - ended.length;
  return {
    ...result,
    isIncomplete: left > 0,
    counts: countsOf('tests') ?? { passed: 0, failed: 1 },
    failures: failuresOf(reportOf('tests')),
    ...(some || left > 0 ? { skipped: inWords(keys.size, keys.size - stale.length, left) } : {}),
  };
}

function inWords(all, before, left) {
  const later = left > 0 ? `, ${left} had no time` : '';
  return before > 0 ? `${before} of ${all} files have passed before${later}` : `${left} of ${all} files had no time`;
}

/** What makes vitest take these files in order, and start no test after `until`. */
async function limited(stale, { files, lastRuns, until }) {
  const order = join(folder, 'test-order.txt');
  mkdirSync(folder, { recursive: true });
  const known = { changed: await changedFiles(), namedBy: namesOf(files), lastRunOf: lastRuns.of };
  writeFileSync(order, inOrder(stale, known).join('\n'));
  return {
    env: { TEST_ORDER: order, TESTS_UNTIL: String(until) },
    args: [`--reporter=${join(import.meta.dirname, 'time-limit-reporter.mjs')}`],
  };
}
