/** The embedded database of a running cashier, as a command uses it over the cashier's socket (see `serve-database`). */
import { realpathSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import * as v from 'valibot';
import { linesOf } from '../byte-lines.ts';
import type { Database, Transaction } from '../database.ts';
import { socketPlaces } from '../embedded/socket-places.ts';
import { mostAnswerBytes } from './serve-database.ts';
import { type Request, readLine, writeLine } from './wire.ts';

const answerSchema = v.variant('kind', [
  v.object({ kind: v.literal('rows'), rows: v.array(v.unknown()) }),
  v.object({ kind: v.literal('failed'), message: v.string(), fields: v.record(v.string(), v.string()) }),
]);

/** In ms. The cashier is on this machine. */
const connectWithinMs = 5_000;

/**
 * Connects to the cashier that holds the database of a data folder.
 * @returns undefined if no cashier answers: Windows, an older build, or another command that holds the folder
 * @throws Error if the socket belongs to another user of the machine
 */
export async function connectServedDatabase(dataDir: string): Promise<Database | undefined> {
  const { commands: path } = socketPlaces(realpathSync(dataDir));
  if (path === undefined) return undefined;
  const owner = statSync(path, { throwIfNoEntry: false })?.uid;
  if (owner === undefined) return undefined;
  const own = process.getuid?.() ?? owner;
  if (own !== 0 && owner !== own) {
    throw new Error(`${path} belongs to another user. Run the command as the user of the cashier.`);
  }
  const socket = await connected(path);
  return socket && overSocket(socket);
}

function connected(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.setTimeout(connectWithinMs, () => socket.destroy());
    socket.once('connect', () => {
      socket.setTimeout(0);
      resolve(socket);
    });
    socket.once('error', () => resolve(undefined));
    socket.once('close', () => resolve(undefined));
  });
}

/** One request at a time, as the embedded database has one session. */
function overSocket(socket: Socket): Database {
  const lines = linesOf(socket, mostAnswerBytes)[Symbol.asyncIterator]();
  socket.on('error', () => socket.destroy());
  const alone = oneByOne();
  const call = async <Row>(request: Request): Promise<Row[]> => {
    socket.write(writeLine(request));
    const { value, done } = await lines.next();
    if (done === true) {
      throw new Error('The running cashier ended the connection. Check what was done, then run the command again.');
    }
    const answer = v.parse(answerSchema, readLine(value));
    if (answer.kind === 'failed') throw errorOf(answer.message, answer.fields);
    return answer.rows as Row[];
  };
  const query: Database['query'] = ({ text, values }) => call({ kind: 'query', text, ...(values && { values }) });
  return {
    kind: 'embedded',
    query: (statement) => alone(() => query(statement)),
    transaction: (work) =>
      alone(() => {
        // Statements of one transaction that are sent together.
        const inTurn = oneByOne();
        const transaction: Transaction = { isTransaction: true, query: (statement) => inTurn(() => query(statement)) };
        return inTransaction(call, transaction, work);
      }),
    async ping() {
      await alone(() => query({ text: 'select 1' }));
    },
    async close() {
      socket.end();
      socket.destroy();
    },
  };
}

/** Runs work one after the other, also after work that has failed. */
function oneByOne(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

async function inTransaction<Result>(
  call: (request: Request) => Promise<unknown>,
  transaction: Transaction,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  await call({ kind: 'begin' });
  let result: Result;
  try {
    result = await work(transaction);
  } catch (error) {
    await call({ kind: 'rollback' });
    throw error;
  }
  await call({ kind: 'commit' });
  return result;
}

/** The same error as from the driver, so that callers recognise it. */
function errorOf(message: string, fields: Readonly<Record<string, string>>): Error {
  if (fields['code'] === undefined) return new Error(message);
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), fields);
}
