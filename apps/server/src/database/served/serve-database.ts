/**
 * Serves the embedded database of a running cashier to `opencashier` over a unix socket in the data folder, because only one process may
 * open the files. Only the system user of the cashier can connect: this user can read the files anyway. Sizes, numbers and times have
 * bounds, because a transaction of a command makes every payment wait.
 */
import { chmodSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import type { Clock } from '@opencashier/core/time/clock';
import pg from 'pg';
import * as v from 'valibot';
import { linesOf } from '../byte-lines.ts';
import type { Database, Queryable, Transaction } from '../database.ts';
import type { DatabaseLogger } from '../embedded/open-embedded.ts';
import { socketPlaces } from '../embedded/socket-places.ts';
import { type Answer, type Request, readLine, writeLine } from './wire.ts';

/** Commands at the same time. */
const mostConnections = 4;
const mostRequestBytes = 16 * 1024 * 1024;
export const mostAnswerBytes = 64 * 1024 * 1024;
/** How long a command may be silent, in ms. Within a transaction it must be quick. */
const silentMs = 600_000;
const silentInTransactionMs = 5_000;
/** How long a transaction of a command may last, in ms. */
const transactionMs = 60_000;

export interface ServedDatabase {
  /** Ends every connection; an open transaction is rolled back. */
  stop(): Promise<void>;
}

export interface ServeOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: DatabaseLogger;
}

/** @returns undefined on Windows, which has no such sockets */
export async function serveDatabase(
  database: Database,
  { dataDir, clock, logger }: ServeOptions,
): Promise<ServedDatabase | undefined> {
  const { commands: path } = socketPlaces(realpathSync(dataDir));
  if (path === undefined) return undefined;
  // This process holds the lock of the folder, so a socket that is still there belongs to a process that has died.
  rmSync(path, { force: true });
  const sockets = new Set<Socket>();
  const work = new Set<Promise<void>>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const done = serveOne(database, socket, clock).catch((error: unknown) => {
      logger.error({ err: error }, 'a command lost its connection');
    });
    work.add(done);
    void done.finally(() => {
      work.delete(done);
      sockets.delete(socket);
      socket.destroy();
    });
  });
  server.maxConnections = mostConnections;
  await listenPrivately(server, path);
  return {
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await Promise.all([closed, ...work]);
    },
  };
}

/** The socket is private from its first moment: the mask applies when the name is made. */
async function listenPrivately(server: ReturnType<typeof createServer>, path: string): Promise<void> {
  const mask = process.umask(0o177);
  try {
    const listening = new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, () => resolve());
    });
    process.umask(mask);
    await listening;
    chmodSync(path, 0o600);
  } finally {
    process.umask(mask);
  }
}

const requestSchema = v.variant('kind', [
  v.object({ kind: v.literal('query'), text: v.string(), values: v.optional(v.array(v.unknown()), []) }),
  v.object({ kind: v.picklist(['begin', 'commit', 'rollback']) }),
]);

type Next = () => Promise<Request | undefined>;
type Reply = (answer: Answer) => void;

/** Answers the requests of one command until it ends. */
async function serveOne(database: Database, socket: Socket, clock: Clock): Promise<void> {
  const lines = linesOf(socket, mostRequestBytes)[Symbol.asyncIterator]();
  // A command that ends, even by a kill, only closes its connection.
  socket.on('error', () => socket.destroy());
  const next = async (withinMs: number): Promise<Request | undefined> => {
    const cancel = clock.setTimer(() => socket.destroy(), withinMs);
    try {
      const { value, done } = await lines.next();
      return done === true ? undefined : v.parse(requestSchema, readLine(value));
    } catch (error) {
      if (socket.destroyed) return undefined;
      throw error;
    } finally {
      cancel();
    }
  };
  const reply: Reply = (answer) => {
    const line = writeLine(answer);
    if (line.length <= mostAnswerBytes) socket.write(line);
    else socket.write(writeLine(failed(new Error('The answer is too large. Ask for fewer rows with --limit.'))));
  };
  for (;;) {
    const request = await next(silentMs);
    if (request === undefined) return;
    if (request.kind === 'query') reply(await answerOf(database, request));
    else if (request.kind === 'begin') {
      const cancel = clock.setTimer(() => socket.destroy(), transactionMs);
      await serveTransaction(database, () => next(silentInTransactionMs), reply).finally(cancel);
    } else reply(failed(new Error('There is no transaction.')));
  }
}

/** Thrown to roll a transaction back. */
class RolledBack extends Error {}

async function serveTransaction(database: Database, next: Next, reply: Reply): Promise<void> {
  let isBegun = false;
  try {
    await database.transaction(async (transaction) => {
      // The command has seen answers of the first attempt, so a second attempt would not know them.
      if (isBegun) throw new Error('The transaction cannot be repeated. Run the command again.');
      isBegun = true;
      reply({ kind: 'rows', rows: [] });
      await serveStatements(transaction, next, reply);
    });
    reply({ kind: 'rows', rows: [] });
  } catch (error) {
    reply(error instanceof RolledBack ? { kind: 'rows', rows: [] } : failed(error));
  }
}

/** @throws RolledBack unless the command commits */
async function serveStatements(transaction: Transaction, next: Next, reply: Reply): Promise<void> {
  for (;;) {
    const request = await next();
    if (request?.kind === 'query') reply(await answerOf(transaction, request));
    else if (request?.kind === 'commit') return;
    else if (request?.kind === 'begin') reply(failed(new Error('A transaction has begun already.')));
    else throw new RolledBack();
  }
}

/** A statement without its name: a command of another build may have another text under the same name. */
async function answerOf(
  queryable: Queryable,
  { text, values = [] }: Extract<Request, { kind: 'query' }>,
): Promise<Answer> {
  try {
    return { kind: 'rows', rows: await queryable.query({ text, values }) };
  } catch (error) {
    return failed(error);
  }
}

const errorFields = ['code', 'constraint', 'table', 'detail', 'severity'] as const;

function failed(error: unknown): Answer {
  const fields = error instanceof pg.DatabaseError ? error : undefined;
  return {
    kind: 'failed',
    message: error instanceof Error ? error.message : String(error),
    fields: Object.fromEntries(
      errorFields.flatMap((name) => (fields?.[name] === undefined ? [] : [[name, String(fields[name])]])),
    ),
  };
}
