/** A long-running child program: formats its log, waits for its health, stops it in order. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { root } from './paths.mjs';

const stopWithParent = fileURLToPath(new URL('./stop-with-parent.mjs', import.meta.url));
const warning = 40; // pino's number for it
const keptLines = 30;

/**
 * Starts a Node program in a process group of its own. So Ctrl+C in a terminal reaches it only once, through this script.
 *
 * @param {{ name: string, args: string[], env: Record<string, string>, cwd?: string }} program
 */
export function startService({ name, args, env, cwd = root }) {
  const child = spawn(process.execPath, ['--import', stopWithParent, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
  });
  // Lines that were not shown, kept in case the program ends unexpectedly.
  const recent = [];
  const read = (line) => {
    const text = readable(line);
    if (text !== undefined) console.error(`[${name}] ${text}`);
    else if (recent.push(line) > keptLines) recent.shift();
  };
  createInterface({ input: child.stdout }).on('line', read);
  createInterface({ input: child.stderr }).on('line', read);
  let hasClosed = false;
  const closed = once(child, 'close').then(([code, signal]) => {
    hasClosed = true;
    return { name, code, signal };
  });
  return {
    name,
    recent,
    closed,
    /** Until the last line of its log is read, which can be after the program's end. */
    isRunning: () => !hasClosed,
    /** Sends SIGTERM and waits. After `graceMs` the program is killed. */
    async stop(graceMs) {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      const inTime = await Promise.race([closed.then(() => true), pause(graceMs, false, { ref: false })]);
      if (!inTime) {
        console.error(`[${name}] did not stop within ${graceMs / 1000} s and was ended.`);
        child.kill('SIGKILL');
        await closed;
      }
    },
    kill: () => child.kill('SIGKILL'),
  };
}

// A JSON log line is shown from `warning` upwards, anything else (a stack trace, a panic) as it is.
function readable(line) {
  if (line.trim() === '') return undefined;
  try {
    const entry = JSON.parse(line);
    if (typeof entry !== 'object' || entry === null) return line;
    if (typeof entry.level === 'number' && entry.level < warning) return undefined;
    if (entry.level === 'info' || entry.level === 'debug' || entry.level === 'trace') return undefined;
    const cause = entry.err?.message ?? entry.error?.message;
    return [entry.msg ?? line, cause].filter((part) => part !== undefined && part !== '').join(': ');
  } catch {
    return line;
  }
}

/**
 * The last lines of a service's log that were not shown, as text.
 *
 * @param {{ recent: readonly string[] }} service
 */
export function logOf({ recent }) {
  return recent.length === 0 ? '  (nothing)' : recent.map((line) => `  ${line}`).join('\n');
}

/**
 * Waits until the first of `paths` that exists answers with success.
 *
 * @param {{ name: string, recent: readonly string[], isRunning: () => boolean }} service
 * @param {(error: Error) => void} [onLate] is called each time that `timeoutMs` has passed, and the wait goes on. Without it the wait ends
 * @throws when the service ends first or `timeoutMs` passes. The message has the last lines of its log
 */
export async function waitUntilHealthy(service, origin, paths, timeoutMs, onLate) {
  const failed = (what) =>
    new Error(`The ${service.name} ${what}. The last lines of its log, besides those above:\n${logOf(service)}`);
  let deadline = Date.now() + timeoutMs;
  let last = 'no answer';
  for (;;) {
    if (!service.isRunning()) throw failed('ended while starting');
    for (const path of paths) {
      const answer = await fetch(`${origin}${path}`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
      await answer?.body?.cancel();
      if (answer?.ok) return;
      if (answer !== undefined) last = `${path} answered ${answer.status}`;
      if (answer?.status !== 404) break;
    }
    if (Date.now() >= deadline) {
      const late = failed(`did not become healthy at ${origin} within ${timeoutMs / 1000} s (${last})`);
      if (onLate === undefined) throw late;
      onLate(late);
      deadline = Date.now() + timeoutMs;
    }
    await pause(100);
  }
}
