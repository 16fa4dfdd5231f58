/**
 * One process per data folder. PGlite does not lock, and two writers destroy the files (ADR 1).
 * The lock is a listening socket. It ends with its process, even by kill -9, and needs no cleaning up.
 */
import { randomBytes } from 'node:crypto';
import { linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Another process uses the data folder. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';

  constructor(folder: string, options?: ErrorOptions) {
    super(
      `Another process uses the data folder ${folder}. Two processes on one embedded database would destroy it: stop the other one, or set another DATA_DIR`,
      options,
    );
  }
}

export interface FolderLock {
  release(): Promise<void>;
}

/** In ms. The owner checks its lock again after this time: removing a stale lock may hide a live one. */
const SETTLE_MS = 50;
const MOST_TAKEOVERS = 5;

/**
 * Locks a folder until `release` or the end of the process.
 * @param address the lock's address: the path of a unix socket, or a named pipe on Windows
 * @throws FolderInUseError
 */
export async function lockFolder(folder: string, address: string): Promise<FolderLock> {
  if (process.platform === 'win32') return lockByPipe(folder, address);
  // The socket gets its final name by a hard link, which is atomic and fails when the name exists. Binding the name
  // directly would need an unlink first, and then two processes could remove each other's lock.
  const ownPath = join(dirname(address), `lock-${randomBytes(4).toString('hex')}`);
  const server = await listen(ownPath);
  const inode = statSync(ownPath).ino;
  try {
    await takeName(folder, ownPath, address);
    await delay(SETTLE_MS);
    if (inodeOf(address) !== inode) throw new FolderInUseError(folder);
  } catch (error) {
    server.close();
    throw error;
  } finally {
    rmSync(ownPath, { force: true });
  }
  return {
    async release() {
      if (inodeOf(address) === inode) rmSync(address, { force: true });
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function takeName(folder: string, ownPath: string, address: string): Promise<void> {
  for (let tries = 0; tries < MOST_TAKEOVERS; tries += 1) {
    if (tryLink(ownPath, address)) return;
    if (await isAlive(address)) break;
    await removeStale(address, `${ownPath}s`);
  }
  throw new FolderInUseError(folder);
}

/** Renaming is atomic, so only one of several processes moves the dead lock. A live lock moved by mistake is put back. */
async function removeStale(address: string, aside: string): Promise<void> {
  try {
    renameSync(address, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  if (await isAlive(aside)) tryLink(aside, address);
  rmSync(aside, { force: true });
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

async function lockByPipe(folder: string, address: string): Promise<FolderLock> {
  try {
    const server = await listen(address);
    return { release: () => new Promise((resolve) => server.close(() => resolve())) };
  } catch (error) {
    throw codeOf(error) === 'EADDRINUSE' ? new FolderInUseError(folder, { cause: error }) : error;
  }
}

function listen(address: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen(address, () => {
      // The lock alone must not keep the process alive.
      server.unref();
      resolve(server);
    });
  });
}

/** Whether a process listens. Any result except a refusal counts as yes. */
function isAlive(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error) => resolve(!['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'].includes(codeOf(error) ?? '')));
  });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
