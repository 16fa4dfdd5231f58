/** In which order the test files of a check run, when there may not be time for all. */
import { posix } from 'node:path';

/** A file that was never timed here. Most take less. */
const unknownSeconds = 1;

/**
 * First the tests that failed last and those near the change; then all others. In both groups the tests without a page come first,
 * because each change between the two kinds starts new processes. Among equals the shortest is first, so that the most have their turn.
 *
 * @param {readonly string[]} tests paths
 * @param {object} known
 * @param {ReadonlySet<string>} known.changed paths that differ from the last commit
 * @param {(test: string) => readonly string[]} known.namedBy the files that a test file names itself
 * @param {(test: string) => { seconds: number, failed: boolean } | undefined} known.lastRunOf
 * @returns {string[]} the same paths
 */
export function inOrder(tests, { changed, namedBy, lastRunOf }) {
  const foldersOfChange = new Set([...changed].map((path) => posix.dirname(path)));
  const isNear = (test) => foldersOfChange.has(posix.dirname(test)) || namedBy(test).some((path) => changed.has(path));
  return tests
    .map((test) => ({
      test,
      group: lastRunOf(test)?.failed === true || isNear(test) ? 0 : 1,
      page: test.endsWith('.tsx') ? 1 : 0,
      seconds: lastRunOf(test)?.seconds ?? unknownSeconds,
    }))
    .sort((a, b) => a.group - b.group || a.page - b.page || a.seconds - b.seconds)
    .map(({ test }) => test);
}
