/** Starts the embedded database: folder, lock, thread and self-test. Returns the address for the driver. */
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { EmbeddedWorkerData, EmbeddedWorkerMessage } from './embedded-worker-messages.ts';
import { lockFolder } from './folder-lock.ts';
import { SOCKET_PORT, socketPlaces } from './socket-places.ts';

export interface EmbeddedServer {
  /** Connection settings for the driver. */
  readonly connection: { readonly host: string; readonly port: number };
  /** The syncs that the self-test counted for one commit. */
  readonly syncs: number;
  stop(): Promise<void>;
}

export interface EmbeddedServerOptions {
  readonly isSyncBroken?: boolean;
  /** For tests that delete the folder: commits do not sync, because a sync takes most of the time. */
  readonly isDisposable?: boolean;
}

/**
 * Opens the database of a data folder. The first start creates it (about 3 s; later 0.4 s).
 * @throws FolderInUseError; Error when a commit does not reach the disk
 */
export async function startEmbeddedServer(
  dataDir: string,
  onLost: (error: Error) => void,
  options: EmbeddedServerOptions = {},
): Promise<EmbeddedServer> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const home = realpathSync(dataDir);
  const sockets = socketPlaces(home);
  const lock = await lockFolder(home, sockets.lock);
  try {
    if (sockets.database !== undefined) rmSync(sockets.database, { force: true });
    const folder = join(home, 'database');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const worker = await startWorker({ folder, socketPath: sockets.database, ...options }, onLost);
    return {
      connection: connectionOf(worker.address, sockets.database),
      syncs: worker.syncs,
      async stop() {
        await worker.stop();
        await lock.release();
        if (sockets.folder !== home) rmSync(sockets.folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface RunningWorker {
  readonly address: string;
  readonly syncs: number;
  stop(): Promise<void>;
}

function startWorker(workerData: EmbeddedWorkerData, onLost: (error: Error) => void): Promise<RunningWorker> {
  return new Promise((resolve, reject) => {
    const worker = newWorker(workerData);
    let isStopping = false;
    const ended = new Promise<void>((resolveEnded) => worker.once('exit', () => resolveEnded()));
    const fail = (error: Error): void => {
      reject(error);
      if (!isStopping) onLost(error);
    };
    worker.once('error', fail);
    worker.once('exit', () => fail(new Error('The thread of the embedded database ended')));
    worker.on('message', (message: EmbeddedWorkerMessage) => {
      if (message.kind === 'failed') {
        isStopping = true;
        reject(new Error(message.message));
      }
      if (message.kind !== 'ready') return;
      resolve({
        address: message.address,
        syncs: message.syncs,
        async stop() {
          isStopping = true;
          worker.postMessage('stop');
          await ended;
        },
      });
    });
  });
}

function newWorker(workerData: EmbeddedWorkerData): Worker {
  // In the built server this file is part of a bundle beside `embedded-worker.js`. From source, the thread needs a loader.
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL('./embedded-worker.js', import.meta.url), { workerData });
  // `require.resolve` finds the CommonJS entry; the module entry is in the same folder.
  const loader = new URL('./index.mjs', pathToFileURL(createRequire(import.meta.url).resolve('tsx/esm/api'))).href;
  const source = new URL('./embedded-worker.ts', import.meta.url).href;
  const boot = `import('${loader}').then((tsx) => { tsx.register(); return import('${source}'); });`;
  return new Worker(boot, { eval: true, workerData });
}

function connectionOf(address: string, socketPath: string | undefined): EmbeddedServer['connection'] {
  if (socketPath !== undefined) return { host: dirname(socketPath), port: SOCKET_PORT };
  const [host = '127.0.0.1', port] = address.split(':');
  return { host, port: Number(port) };
}
