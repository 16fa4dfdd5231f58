/**
 * Names what failed in reports of vitest and Playwright. A long run is often read from its end alone, where the tables are; so the
 * failures stand there once more.
 */
import { stripVTControlCharacters } from 'node:util';

/** So many lines of each error are shown, and so many failures of a report. */
const mostLines = 12;
const mostFailures = 20;

/**
 * @param {object | undefined} report what vitest's or Playwright's JSON reporter wrote; undefined: nothing
 * @returns {{ test: string, isRepeated: boolean, why: string }[]} `isRepeated`: it passed at the second try; `why`: the first lines of
 *   the first error
 */
export function failuresOf(report) {
  if (report === undefined) return [];
  const found = report.stats === undefined ? failuresOfVitest(report) : failuresOfPlaywright(report);
  return found.map(({ why, ...rest }) => ({ ...rest, why: firstLines(why) }));
}

function failuresOfVitest({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [{ test: name, isRepeated: false, why: message ?? '' }];
    return failed.map(({ fullName, failureMessages }) => ({
      test: `${name}: ${fullName}`,
      isRepeated: false,
      why: failureMessages?.[0] ?? '',
    }));
  });
}

function failuresOfPlaywright({ suites, errors }) {
  const ofRun = errors.map(({ message }) => ({ test: 'the run', isRepeated: false, why: message ?? '' }));
  return [...suites.flatMap(failuresOfSuite), ...ofRun];
}

function failuresOfSuite({ specs = [], suites = [] }) {
  const own = specs.flatMap(({ file, line, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ status, results }) => ({
        test: `${file}:${line}: ${title}`,
        isRepeated: status === 'flaky',
        why: results.find(({ error }) => error !== undefined)?.error.message ?? '',
      })),
  );
  return [...own, ...suites.flatMap(failuresOfSuite)];
}

function firstLines(text) {
  const lines = stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.slice(0, mostLines).join('\n');
}

/** Writes a paragraph for each failure of a step. */
export function printFailures(step, failures) {
  for (const { test, isRepeated, why } of failures.slice(0, mostFailures)) {
    console.log(`  ${isRepeated ? 'passed only when repeated' : 'failed'} in ${step}: ${test}`);
    console.log(why.replace(/^/gm, '      '));
    console.log('');
  }
  const more = failures.length - mostFailures;
  if (more > 0) console.log(`  and ${more} more in ${step}\n`);
}
