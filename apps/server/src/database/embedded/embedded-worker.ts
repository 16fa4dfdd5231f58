/**
 * The embedded database in its own thread, because PGlite would block every timer and socket of the server.
 * It speaks PostgreSQL's protocol on a socket, so that the server uses one driver for both databases.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { DurableFileSystem, syncTree } from './durable-filesystem.ts';
import type { EmbeddedWorkerData, EmbeddedWorkerMessage } from './embedded-worker-messages.ts';

const { folder, socketPath, isSyncBroken, isDisposable }: EmbeddedWorkerData = workerData;

function tell(message: EmbeddedWorkerMessage): void {
  parentPort?.postMessage(message);
}

async function start(): Promise<void> {
  const isNew = !existsSync(join(folder, 'PG_VERSION'));
  const fs = new DurableFileSystem(folder, { isDisposable });
  const db = await PGlite.create({
    fs,
    startParams: [
      ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
      ...['-c', 'wal_sync_method=fsync', '-c', 'shared_buffers=32MB'],
      ...(isSyncBroken ? ['-F'] : []),
    ],
  });
  if (isNew) syncTree(folder);
  const syncs = await countSyncsOfOneCommit(db, fs);
  if (syncs === 0)
    throw new Error('A commit did not reach the disk: the embedded database refuses to run without fsync');

  const server = new PGLiteSocketServer({
    db,
    // All connections share one session. The second slot is for a driver that reconnects before its
    // first connection is closed.
    maxConnections: 2,
    ...(socketPath === undefined ? { host: '127.0.0.1', port: 0 } : { path: socketPath }),
  });
  await server.start();
  parentPort?.on('message', () => {
    void stop(server, db);
  });
  tell({ kind: 'ready', address: server.getServerConn(), syncs });
}

/** The self-test: a commit must cause a sync. */
async function countSyncsOfOneCommit(db: PGlite, fs: DurableFileSystem): Promise<number> {
  await db.exec('create table if not exists durability_check(at timestamptz not null)');
  const before = fs.syncs;
  await db.exec('delete from durability_check; insert into durability_check values (now())');
  return fs.syncs - before;
}

async function stop(server: PGLiteSocketServer, db: PGlite): Promise<void> {
  await server.stop();
  await db.close();
  tell({ kind: 'stopped' });
  parentPort?.close();
}

start().catch((error: unknown) => {
  tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  parentPort?.close();
});
