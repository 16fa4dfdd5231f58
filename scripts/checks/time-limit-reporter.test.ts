import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cache, root } from '../machine/paths.mjs';
import TimeLimitReporter from './time-limit-reporter.mjs';

/** Later than any run. A timer of Node waits at most 24 days. */
const later = () => Date.now() + 3_600_000;

/** Runs vitest with the reporter over these files, and answers its exit code and the states of all tests. */
async function run(tests: Record<string, string>, until: number) {
  // In the checkout, so that the files find vitest.
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'time-limit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {};');
  for (const [name, text] of Object.entries(tests)) {
    writeFileSync(join(folder, name), `import { expect, test } from 'vitest';\n${text}`);
  }
  const report = join(folder, 'report.json');
  const ended = await promisify(execFile)(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      ...['run', '--root', folder, '--reporter=json', `--outputFile.json=${report}`],
      `--reporter=${join(import.meta.dirname, 'time-limit-reporter.mjs')}`,
    ],
    { env: { ...process.env, TESTS_UNTIL: String(until) } },
  ).then(
    () => 0,
    (error: { code: number }) => error.code,
  );
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { assertionResults: { status: string }[] }[];
  };
  return { exitCode: ended, states: testResults.flatMap((file) => file.assertionResults.map(({ status }) => status)) };
}

test('after its time no test ends, and the run is green', async () => {
  // It never ends by itself, so it does not matter whether it has begun.
  const waits = "test('a', ({ signal }) => new Promise((done) => signal.addEventListener('abort', done)));";
  const { exitCode, states } = await run({ 'a.test.ts': waits }, 0);
  expect(exitCode).toBe(0);
  expect(states.filter((state) => state === 'passed' || state === 'failed')).toEqual([]);
});

test('before its time all tests run, and a failed one makes the run red', async () => {
  const passes = "test('passes', () => expect(1).toBe(1));";
  expect(await run({ 'a.test.ts': passes }, later())).toEqual({ exitCode: 0, states: ['passed'] });
  expect(await run({ 'a.test.ts': `${passes}\ntest('fails', () => expect(1).toBe(2));` }, later())).toEqual({
    exitCode: 1,
    states: ['passed', 'failed'],
  });
});

test('a test that failed before the time was over makes the run red, as does an error outside of tests', () => {
  vi.useFakeTimers();
  const before = process.exitCode;
  onTestFinished(() => {
    process.exitCode = before;
    vi.useRealTimers();
  });
  const endedWith = (isOk: boolean, errors: unknown[]) => {
    const cancelCurrentRun = vi.fn();
    const reporter = new TimeLimitReporter({ until: Date.now() + 1000 });
    reporter.onInit({ cancelCurrentRun });
    reporter.onTestModuleQueued();
    vi.advanceTimersByTime(999);
    expect(cancelCurrentRun).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(cancelCurrentRun).toHaveBeenCalledOnce();
    // As vitest does for a run that was ended.
    process.exitCode = 1;
    reporter.onTestRunEnd([{ ok: () => true }, { ok: () => isOk }], errors);
    return process.exitCode;
  };
  expect(endedWith(true, [])).toBe(0);
  expect(endedWith(false, [])).toBe(1);
  expect(endedWith(true, [new Error('unhandled')])).toBe(1);
});
