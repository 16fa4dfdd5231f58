/** Reads the reports of vitest and Playwright, and writes the table of steps. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { cache, root } from './paths.mjs';

const reports = join(cache, 'test-results');

/** The path for a report. Removes an old report. */
export function freshReport(name) {
  const file = reportFile(name);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  return file;
}

const reportFile = (name) => join(reports, `${name}.json`);

/** What the run wrote; undefined when it wrote no report. */
export function reportOf(name) {
  if (!existsSync(reportFile(name))) return undefined;
  return JSON.parse(readFileSync(reportFile(name), 'utf8'));
}

/**
 * @returns {{ passed: number, failed: number, repeated?: number } | undefined} `repeated`: passed tests that passed only at the second
 *   try; undefined when the run wrote no report
 */
export function countsOf(name) {
  const report = reportOf(name);
  if (report === undefined) return undefined;
  if (report.stats !== undefined) {
    return {
      passed: report.stats.expected + report.stats.flaky,
      failed: report.stats.unexpected + report.errors.length,
      repeated: report.stats.flaky,
    };
  }
  // A file that does not load has no failed test, but counts as one failure.
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length };
}

/**
 * The test files of a report of vitest; none when the run wrote no report.
 *
 * @returns {{ test: string, seconds: number, outcome: 'passed' | 'failed' | 'left' }[]} `test`: the path; `passed`: every test of the
 *   file; `left`: the run was ended before all of its tests had their turn
 */
export function testFileRuns(name) {
  return (reportOf(name)?.testResults ?? []).map(({ name: path, status, startTime, endTime, assertionResults }) => {
    // A run that is ended calls the files and tests that had no turn passed and skipped.
    const isWhole = assertionResults.length > 0 && assertionResults.every((test) => test.status === 'passed');
    return {
      test: relative(root, path).split(sep).join('/'),
      seconds: (endTime - startTime) / 1000,
      outcome: status === 'failed' ? 'failed' : isWhole ? 'passed' : 'left',
    };
  });
}

/** Arguments that make vitest print for people, and write a report for this script. */
export function vitestReport(name, forPeople = 'default') {
  return [`--reporter=${forPeople}`, '--reporter=json', `--outputFile.json=${freshReport(name)}`];
}

/** A line for each step: its result, its seconds and the number of its tests. */
export function printTable(steps) {
  const width = Math.max(...steps.map(({ name }) => name.length));
  console.log('');
  for (const { name, ok, seconds, counts, skipped } of steps) {
    const tests = counts === undefined ? '' : `  ${inWords(counts)}`;
    const why = skipped === undefined ? '' : `  ${skipped}`;
    console.log(`  ${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(width)}  ${seconds.toFixed(1).padStart(6)} s${tests}${why}`);
  }
  console.log('');
}

function inWords({ passed, failed, repeated = 0 }) {
  const only = repeated > 0 ? `, ${repeated} of them only when repeated: a bug, to be mended` : '';
  return `${passed} passed${only}${failed > 0 ? `, ${failed} failed` : ''}`;
}
