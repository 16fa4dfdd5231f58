/** A built server as a child process: started, restarted at the same address, ended by any signal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../machine/paths.mjs';
import { freePort } from '../machine/ports.mjs';

const collector = join(root, 'scripts/bench/collect-on-signal.mjs');
const startWithinMs = 60_000;

/** The settings of a measured cashier. */
export const benchSettings = (operatorKey, providerSecret) => ({
  SANDBOX: '1',
  DRAIN_SECONDS: '0',
  SANDBOX_PROVIDER_SECRET: providerSecret,
  RATE_LIMITS: '0',
  LOG_LEVEL: 'error',
  SEED_DEMO_OPERATOR_KEY: operatorKey,
  SEED_DEMO_ORIGIN: 'http://localhost:3001',
});

/**
 * @param {{ file: string, dataDir: string, databaseUrl?: string | undefined, environment: Record<string, string>,
 *   profileTo?: string | undefined }} options `profileTo`: the folder for its processor profiles, written when it ends
 */
export async function startServer({ file, dataDir, databaseUrl, environment, profileTo }) {
  const profiled = profileTo === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileTo}`];
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const spawnIt = () =>
    spawn(process.execPath, [...profiled, '--expose-gc', '--import', collector, file], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        NODE_ENV: 'production',
        PORT: String(port),
        HOST: '127.0.0.1',
        DATA_DIR: dataDir,
        ...(databaseUrl && { DATABASE_URL: databaseUrl }),
        PUBLIC_URL: url,
        ...environment,
      },
    });
  let child = spawnIt();
  await untilReady(url, child);
  const end = async (signal) => {
    const ended = child.exitCode ?? child.signalCode;
    if (ended !== null) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  };
  return {
    url,
    processorMs: () => processorMsOf(child.pid),
    /** Collects garbage. */
    async rest() {
      child.kill('SIGUSR2');
      await pause(1500);
    },
    /** Ends the process and starts it again at once. @param {NodeJS.Signals} signal @returns when it was ready, by this clock */
    async restart(signal) {
      await end(signal);
      child = spawnIt();
      await untilReady(url, child);
      return performance.now();
    },
    stop: () => end('SIGTERM'),
  };
}

/**
 * The processor time that a process has used in all its threads, in ms. Other programs on the machine change it far less than any rate.
 * @param {number | undefined} pid @returns {number | undefined} undefined: this system has no `/proc`
 */
export function processorMsOf(pid) {
  let stat;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
  // After the name of the program, which may have spaces: utime and stime are the 12th and 13th fields, in ticks of 10 ms.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function untilReady(url, child) {
  const giveUpAt = performance.now() + startWithinMs;
  for (;;) {
    if (child.exitCode !== null) throw new Error('The server ended while starting.');
    const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    if (performance.now() > giveUpAt) throw new Error(`The server did not start within ${startWithinMs / 1000} s.`);
    await pause(50);
  }
}
