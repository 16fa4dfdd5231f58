import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from './paths.mjs';
import { freshReport, testFileRuns } from './results.mjs';

test('a file has passed only if each of its tests has had its turn, whatever a run that was ended calls it', () => {
  const file = (path: string, status: string, ...tests: string[]) => ({
    name: join(root, path),
    status,
    startTime: 1000,
    endTime: 3500,
    assertionResults: tests.map((each) => ({ status: each })),
  });
  const name = `results-test-${process.pid}`;
  const report = freshReport(name);
  onTestFinished(() => rmSync(report));
  const testResults = [
    file('whole.test.ts', 'passed', 'passed', 'passed'),
    file('cut.test.ts', 'passed', 'passed', 'skipped'),
    file('no-turn.test.ts', 'passed'),
    file('red.test.ts', 'failed', 'passed', 'failed'),
    file('does-not-load.test.ts', 'failed'),
  ];
  writeFileSync(report, JSON.stringify({ testResults }));

  expect(testFileRuns(name).map(({ test: path, outcome }) => `${path} ${outcome}`)).toEqual([
    'whole.test.ts passed',
    'cut.test.ts left',
    'no-turn.test.ts left',
    'red.test.ts failed',
    'does-not-load.test.ts failed',
  ]);
  expect(testFileRuns(name)[0]?.seconds).toBe(2.5);
});
