/** A PostgreSQL server for one run of the tests: in a temporary folder, fast instead of safe, deleted afterwards. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './ports.mjs';
import { installSystemPackages } from './system-packages.mjs';

const oldest = 15;
const startWithinMs = 90_000;

/** @returns {string | undefined} the folder of server binaries, PostgreSQL 15 or newer, the newest first */
function findPostgres() {
  const debian = existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql')
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => `/usr/lib/postgresql/${version}/bin`)
    : [];
  const folders = [...debian, ...(process.env['PATH'] ?? '').split(delimiter), '/opt/homebrew/opt/postgresql@17/bin'];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && majorVersion(folder) >= oldest);
}

/**
 * @returns {Promise<string>} the folder of server binaries
 * @throws with advice when there are none and none can be installed
 */
export async function ensurePostgres() {
  const found = findPostgres();
  if (found !== undefined) return found;
  const reason = await installSystemPackages(['postgresql']);
  const installed = findPostgres();
  if (installed !== undefined) return installed;
  throw new Error(
    `PostgreSQL ${oldest} or newer was not found (${reason ?? 'the system has an older one'}). Install its server package.`,
  );
}

/**
 * Makes and starts a server on a free port of the loopback interface.
 *
 * @param {string} binaries from `ensurePostgres`
 * @param {{ isDurable?: boolean, more?: Record<string, string> }} [options] `isDurable`: syncs every commit, as in production; for
 *   measuring. `more`: further settings of the server
 * @returns {Promise<{ url: string, crash: () => Promise<void>, start: () => Promise<void>, stop: () => Promise<void>,
 *   freeze: () => void, thaw: () => void }>}
 * `url` is of a database whose owner may create others.
 * `crash` ends the server like a power cut, and `start` starts it again. `freeze` makes it hang with every connection open, until
 * `thaw`.
 */
export async function startPostgres(binaries, { isDurable = false, more = {} } = {}) {
  // PostgreSQL refuses to run as root.
  const identity = process.getuid?.() === 0 ? unprivileged() : {};
  const folder = mkdtempSync(join(tmpdir(), 'cashier-postgres-'));
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const data = join(folder, 'data');
  const options = { ...identity, cwd: folder, env: { ...process.env, HOME: folder, LC_ALL: 'C.UTF-8' } };
  try {
    execFileSync(
      join(binaries, 'initdb'),
      ['-D', data, '-U', 'cashier', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
      { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
    );
  } catch (error) {
    remove();
    throw new Error(`initdb failed: ${error.stderr ?? error.message}`);
  }
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: '200',
    shared_buffers: '128MB',
    ...(isDurable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...more,
  };
  let server;
  let closed;
  let log = '';
  const start = async () => {
    server = spawn(
      join(binaries, 'postgres'),
      [
        '-D',
        data,
        '-p',
        String(port),
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    server.stderr.on('data', (part) => {
      log = (log + part).slice(-8000);
    });
    closed = once(server, 'close');
    if (!(await accepts(server, binaries, port))) throw new Error(`PostgreSQL did not start:\n${log}`);
  };
  // Without a checkpoint: data that was not on the disk is lost, and the next start recovers.
  const crash = async () => {
    if (server.exitCode === null) server.kill('SIGQUIT');
    await closed;
  };
  let frozen = [];
  const thaw = () => {
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
  };
  const freeze = () => {
    // First the process that starts the others, so that none is missed.
    server.kill('SIGSTOP');
    const children = execFileSync('pgrep', ['-P', String(server.pid)], { encoding: 'utf8' });
    frozen = [server.pid, ...children.trim().split('\n').map(Number)];
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
  };
  const killNow = () => {
    thaw();
    server.kill('SIGQUIT');
    remove();
  };
  process.on('exit', killNow);
  const stop = async () => {
    process.off('exit', killNow);
    thaw();
    if (server.exitCode === null) server.kill('SIGINT');
    await closed;
    remove();
  };
  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `postgres://cashier@127.0.0.1:${port}/postgres`, crash, start, stop, freeze, thaw };
}

/** Asks like a client. While the server recovers from a crash, it accepts connections but refuses every query. */
async function accepts(server, binaries, port) {
  const isReady = promisify(execFile);
  const deadline = Date.now() + startWithinMs;
  while (server.exitCode === null && Date.now() < deadline) {
    const refusal = await isReady(join(binaries, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]).then(
      () => undefined,
      (error) => error,
    );
    if (refusal === undefined) return true;
    if (typeof refusal.code !== 'number') throw refusal;
    await pause(50);
  }
  return false;
}

function unprivileged() {
  for (const user of ['postgres', 'nobody']) {
    try {
      const id = (flag) => Number(execFileSync('id', [flag, user], { stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // This system has no such user. The next name may exist.
    }
  }
  throw new Error('PostgreSQL refuses to run as root, and this system has neither the user postgres nor nobody.');
}

function majorVersion(folder) {
  const text = execFileSync(join(folder, 'initdb'), ['--version'], { encoding: 'utf8' });
  return Number(/\s(\d+)/.exec(text)?.[1] ?? 0);
}
