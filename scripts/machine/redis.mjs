/** A Redis server for a run of the tests, on a free port and in a temporary folder. It is removed afterwards. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './ports.mjs';
import { installSystemPackages } from './system-packages.mjs';

const startWithinMs = 90_000;

function findRedis() {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/opt/homebrew/bin'];
  return ['redis-server', 'valkey-server']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => existsSync(file));
}

/**
 * @returns {Promise<string>} the server's program
 * @throws with advice when there is none and none can be installed
 */
export async function ensureRedis() {
  const found = findRedis();
  if (found !== undefined) return found;
  const reason = await installSystemPackages(['redis-server']);
  const installed = findRedis();
  if (installed !== undefined) return installed;
  throw new Error(`Redis was not found (${reason}). Install its server package.`);
}

/**
 * A server that can be killed and started again on the same port, with empty memory.
 *
 * @param {string} program from `ensureRedis`
 * @returns {Promise<{ url: string, kill: () => Promise<void>, start: () => Promise<void>, stop: () => Promise<void> }>}
 */
export async function startRedis(program) {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-redis-'));
  const port = await freePort();
  let server;
  const start = async () => {
    server = spawn(program, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    if (!(await accepts(server, port))) throw new Error('Redis did not start.');
  };
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const closed = once(server, 'close');
    server.kill('SIGKILL');
    await closed;
  };
  const killNow = () => server.kill('SIGKILL');
  process.on('exit', killNow);
  const stop = async () => {
    process.off('exit', killNow);
    await kill();
    rmSync(folder, { recursive: true, force: true });
  };
  await start();
  return { url: `redis://127.0.0.1:${port}`, kill, start, stop };
}

async function accepts(server, port) {
  const deadline = Date.now() + startWithinMs;
  while (server.exitCode === null && Date.now() < deadline) {
    const connected = await new Promise((resolve) => {
      const socket = createConnection({ port, host: '127.0.0.1' });
      socket.once('connect', () => resolve(socket.destroy() !== undefined));
      socket.once('error', () => resolve(false));
    });
    if (connected) return true;
    await pause(50);
  }
  return false;
}
