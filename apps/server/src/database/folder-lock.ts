/**
 * One process per data folder: PGlite does not lock, and two writers destroy the files (ADR 1). The lock is a listening
 * socket, so it dies with its process, also by kill -9, and never has to be cleaned up by hand.
 */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';

  constructor(folder: string, options?: ErrorOptions) {
    super(`Another process uses the data folder ${folder}; two on one embedded database would destroy it`, options);
  }
}

export interface FolderLock {
  release(): Promise<void>;
}

type Holder = { readonly kind: 'nobody' | 'stale' } | { readonly kind: 'alive'; readonly token: string };

/** Two processes may take over a stale lock at once; the later one wins, and the earlier one sees it after this long. */
const TAKEOVER_SETTLE_MS = 100;

/**
 * Locks a folder until `release` or the end of the process.
 * @param address where the lock listens: a unix socket's path, or a named pipe on Windows
 * @throws FolderInUseError
 */
export async function lockFolder(folder: string, address: string): Promise<FolderLock> {
  const token = randomUUID();
  const holder = await askHolder(address);
  if (holder.kind === 'alive') throw new FolderInUseError(folder);
  if (holder.kind === 'stale') rmSync(address, { force: true });
  const server = await listen(folder, address, token);
  if (holder.kind === 'stale') {
    await delay(TAKEOVER_SETTLE_MS);
    const winner = await askHolder(address);
    if (winner.kind !== 'alive' || winner.token !== token) {
      server.close();
      throw new FolderInUseError(folder);
    }
  }
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

function listen(folder: string, address: string, token: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.end(token);
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new FolderInUseError(folder, { cause: error }) : error);
    });
    server.listen(address, () => {
      // The lock alone must not keep the process alive.
      server.unref();
      resolve(server);
    });
  });
}

function askHolder(address: string): Promise<Holder> {
  return new Promise((resolve, reject) => {
    let token = '';
    const socket = connect(address);
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      token += text;
    });
    socket.once('end', () => resolve({ kind: 'alive', token }));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve({ kind: 'nobody' });
      else if (error.code === 'ECONNREFUSED' || error.code === 'ENOTSOCK') resolve({ kind: 'stale' });
      else if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve({ kind: 'alive', token });
      else reject(error);
    });
  });
}
