/** Runs other programs. Their output is shown, or kept until it is needed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { root } from './paths.mjs';
import { afterIdleTime } from './slowness.mjs';

/** The environment with the tools of node_modules on the path. */
export function toolEnvironment(extra = {}) {
  return {
    ...process.env,
    // Colours and progress lines are only for a terminal.
    ...(process.stdout.isTTY === true ? {} : { NO_COLOR: '1' }),
    ...extra,
    PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
  };
}

/**
 * Runs a program to its end. Its standard input is empty, so it cannot wait for input.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean, timeoutMs?: number }} options `show` prints as it runs,
 *   else the output is kept; after `timeoutMs` of an idle machine (longer on a busy one) the program is ended and has failed
 * @returns {Promise<{ ok: boolean, code: number | null, output: string, seconds: number }>}
 */
export async function run(command, args, { cwd = root, env = {}, show = false, timeoutMs } = {}) {
  const started = performance.now();
  const child = spawn(command, args, {
    cwd,
    env: toolEnvironment(env),
    stdio: show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const parts = [];
  child.stdout?.on('data', (part) => parts.push(part));
  child.stderr?.on('data', (part) => parts.push(part));
  const stopWaiting =
    timeoutMs === undefined
      ? () => undefined
      : afterIdleTime(timeoutMs, () => {
          console.error(`${command} was ended: it ran for more than ${timeoutMs / 60_000} minutes of an idle machine.`);
          child.kill('SIGKILL');
        });
  const seconds = () => (performance.now() - started) / 1000;
  try {
    const [code] = await once(child, 'close');
    return { ok: code === 0, code, output: Buffer.concat(parts).toString(), seconds: seconds() };
  } catch (error) {
    return { ok: false, code: null, output: `${command}: ${error.message}\n`, seconds: seconds() };
  } finally {
    stopWaiting();
  }
}

/**
 * Runs at most `limit` tasks at a time, in order. A task starts when the tasks in its `after` are done.
 *
 * @template T
 * @param {{ name: string, after?: string[], run: () => Promise<T> }[]} tasks
 * @param {number} limit
 * @returns {Promise<Map<string, T>>} results by name
 */
export async function runTogether(tasks, limit) {
  const results = new Map();
  const waiting = [...tasks];
  const names = new Set(tasks.map(({ name }) => name));
  const running = new Set();
  while (waiting.length > 0 || running.size > 0) {
    const ready = waiting.findIndex(({ after = [] }) => after.every((name) => results.has(name) || !names.has(name)));
    if (ready >= 0 && running.size < limit) {
      const [task] = waiting.splice(ready, 1);
      const promise = task.run().then((result) => {
        results.set(task.name, result);
        running.delete(promise);
      });
      running.add(promise);
    } else {
      await Promise.race(running);
    }
  }
  return results;
}
