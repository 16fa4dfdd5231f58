/** The end of `npm test` names what failed, for whoever reads only the end. */
import { afterEach, expect, test, vi } from 'vitest';
import { failuresOf, printFailures } from './failures.mjs';

afterEach(() => vi.restoreAllMocks());

test('names the failed tests of vitest, with the first lines of the error', () => {
  const report = {
    testResults: [
      {
        name: '/src/a.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [
          { status: 'passed', fullName: 'holds the money', failureMessages: [] },
          {
            status: 'failed',
            fullName: 'pays once',
            failureMessages: ['\u001b[31mexpected 2\u001b[39m\n\n  at a.ts:3'],
          },
        ],
      },
      { name: '/src/b.test.ts', status: 'failed', message: 'cannot load', assertionResults: [] },
      { name: '/src/c.test.ts', status: 'passed', message: '', assertionResults: [] },
    ],
  };
  expect(failuresOf(report)).toEqual([
    { test: '/src/a.test.ts: pays once', isRepeated: false, why: 'expected 2\n  at a.ts:3' },
    { test: '/src/b.test.ts', isRepeated: false, why: 'cannot load' },
  ]);
});

test('has nothing to name where no report was written', () => {
  expect(failuresOf(undefined)).toEqual([]);
});

test('names the failed and the repeated tests of Playwright, in suites of suites, and errors of the whole run', () => {
  const spec = (title: string, status: string, ...messages: (string | undefined)[]) => ({
    file: 'journeys/pix.spec.ts',
    line: 12,
    title,
    tests: [{ status, results: messages.map((message) => (message === undefined ? {} : { error: { message } })) }],
  });
  const report = {
    stats: { expected: 1, flaky: 1, unexpected: 1 },
    errors: [{ message: 'out of time' }],
    suites: [
      {
        specs: [spec('is paid', 'expected', undefined)],
        suites: [
          { specs: [spec('is late', 'flaky', 'not visible', undefined), spec('is lost', 'unexpected', 'no row')] },
        ],
      },
    ],
  };
  expect(failuresOf(report)).toEqual([
    { test: 'journeys/pix.spec.ts:12: is late', isRepeated: true, why: 'not visible' },
    { test: 'journeys/pix.spec.ts:12: is lost', isRepeated: false, why: 'no row' },
    { test: 'the run', isRepeated: false, why: 'out of time' },
  ]);
});

test('long errors and many failures are cut, and the text says how many more there are', () => {
  const long = Array.from({ length: 40 }, (_, nth) => `line ${nth}`).join('\n');
  const failed = (nth: number) => ({ status: 'failed', fullName: `test ${nth}`, failureMessages: [long] });
  const failures = failuresOf({
    testResults: [
      { name: 'a.test.ts', status: 'failed', assertionResults: Array.from({ length: 23 }, (_, n) => failed(n)) },
    ],
  });
  expect(failures).toHaveLength(23);
  expect(failures[0]?.why.split('\n')).toHaveLength(12);
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  printFailures('faults', failures);
  const printed = log.mock.calls.map(([line]) => String(line));
  expect(printed[0]).toBe('  failed in faults: a.test.ts: test 0');
  expect(printed[1]?.split('\n')[11]).toBe('      line 11');
  expect(printed.at(-1)).toBe('  and 3 more in faults\n');
});
