/** A built server as a process of its own, as the benchmarks measure it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../machine/paths.mjs';
import { freePort } from '../machine/ports.mjs';

const collector = join(root, 'scripts/bench/collect-on-signal.mjs');
const startWithinTries = 300;

/**
 * Starts a program and waits until it is ready.
 * @param {string} file the built program
 * @param {{ dataDir: string, databaseUrl?: string | undefined, operatorKey: string, providerSecret: string,
 *   settings?: Record<string, string> }} options
 */
export async function startServer(file, { dataDir, databaseUrl, operatorKey, providerSecret, settings = {} }) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['--expose-gc', '--import', collector, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      PUBLIC_URL: url,
      SANDBOX: '1',
      DRAIN_SECONDS: '0',
      SANDBOX_PROVIDER_SECRET: providerSecret,
      RATE_LIMITS: '0',
      LOG_LEVEL: 'error',
      SEED_DEMO_OPERATOR_KEY: operatorKey,
      SEED_DEMO_ORIGIN: 'http://localhost:3001',
      ...settings,
    },
  });
  const closed = once(child, 'close');
  const stop = async () => {
    if (child.exitCode === null) child.kill('SIGTERM');
    await closed;
  };
  for (let tries = 0; ; tries++) {
    if (child.exitCode !== null) throw new Error(`${file} ended while starting.`);
    const answer = await fetch(`${url}/ready`).catch(() => undefined);
    if (answer?.ok) break;
    if (tries > startWithinTries) {
      await stop();
      throw new Error(`${file} did not start within 30 s.`);
    }
    await pause(100);
  }
  return {
    url,
    async rest() {
      child.kill('SIGUSR2');
      await pause(1000);
    },
    stop,
  };
}
