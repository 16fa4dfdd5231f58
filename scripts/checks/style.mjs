/** The style of the files, as a step of `npm run check`. */
import { run } from '../machine/run.mjs';
import { styleInputs } from './inputs.mjs';

/** `--no-errors-on-unmatched`: the settings of the style leave out some of the files that Git knows. */
const style = ['check', '--error-on-warnings', '--colors=off', '--no-errors-on-unmatched'];
/** More names than this are too long for a command line, and the style of all files is as fast. */
const mostNamed = 500;

/**
 * Which files a check looks at. One rule looks at the types that a file imports, and takes longest. So with a limit of time the changed
 * files come first, and those that only import them wait for the next check.
 *
 * @param {readonly string[]} unproven files whose style has not passed with all that they import
 * @param {(path: string) => boolean} hasPassedAlone whether the file has passed as it is, whatever it imports
 * @param {boolean} isLimited
 * @returns {{ now: readonly string[], waiting: number }}
 */
export function styleTurn(unproven, hasPassedAlone, isLimited) {
  const changed = isLimited ? unproven.filter((path) => !hasPassedAlone(path)) : [];
  const now = changed.length > 0 ? changed : unproven;
  return { now, waiting: unproven.length - now.length };
}

/**
 * The style of all files, or of those that have changed since they passed here, or import what has changed.
 *
 * @param {object} options
 * @param {Map<string, string> | undefined} options.files hashes by path
 * @param {ReturnType<import('./passed.mjs').openPassed>} options.passed
 * @param {boolean} options.everything also files that have passed before
 * @param {boolean} options.isLimited as in {@link styleTurn}
 * @param {number} options.timeoutMs
 */
export async function styleOfFiles({ files, passed, everything, isLimited, timeoutMs }) {
  const keyOf = ([path, of]) => [path, passed.keyOf(`style of ${path}`, ['biome', ...style], of)];
  const inputs = files === undefined ? { alone: [], reached: [] } : styleInputs(files);
  const [alone, reached] = [inputs.alone, inputs.reached].map((ofEach) => new Map([...ofEach].map(keyOf)));
  const unproven = [...reached.keys()].filter((path) => everything || !passed.has(reached.get(path)));
  if (reached.size > 0 && unproven.length === 0) {
    return { ok: true, seconds: 0, skipped: 'nothing that it depends on has changed' };
  }
  const { now, waiting } = styleTurn(unproven, (path) => passed.has(alone.get(path)), isLimited);
  const some = now.length > 0 && now.length <= mostNamed;
  const result = await run('biome', [...style, ...(some ? now : ['.'])], { env: { NODE_ENV: '' }, timeoutMs });
  if (result.ok) {
    // Beside waiting files they have passed as they are, and not yet with all that they import.
    const keys = waiting > 0 ? [alone] : [alone, reached];
    passed.add(...now.flatMap((path) => keys.map((ofFile) => ofFile.get(path))));
  }
  const later = waiting > 0 ? `, ${waiting} that import a change had no time` : '';
  const before = `${reached.size - unproven.length} of ${reached.size} files have passed before${later}`;
  return { ...result, isIncomplete: waiting > 0, ...(some && { skipped: before }) };
}
