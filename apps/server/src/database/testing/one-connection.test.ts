import { expect, test, vi } from 'vitest';
import type { Database, Statement, Transaction } from '../database.ts';
import { asAnotherProcess, refusingSecondConnections } from './one-connection.ts';

const nothing = async <Row>(_: Statement): Promise<Row[]> => [];
const transaction: Transaction = { isTransaction: true, query: nothing };
const onRefused = vi.fn();
const database: Database = refusingSecondConnections(
  {
    kind: 'postgres',
    query: nothing,
    transaction: (work) => work(transaction),
    ping: async () => undefined,
    close: async () => undefined,
  },
  onRefused,
);
const statement = { text: 'select 1' };
const refusal = /the embedded database has no second connection/;

test('inside a transaction neither a statement nor a transaction of the database runs', async () => {
  await expect(database.transaction(async () => await database.query(statement))).rejects.toThrow(refusal);
  await expect(
    database.transaction(async () => {
      await transaction.query(statement);
      await database.transaction(async () => undefined);
    }),
  ).rejects.toThrow(refusal);
  expect(onRefused).toHaveBeenCalledTimes(2);
});

test('a refusal that the work catches is noted, and work as of another process is none', async () => {
  const caught = () => database.query(statement).catch(() => []);
  onRefused.mockClear();
  await database.transaction(() => asAnotherProcess(caught));
  expect(onRefused).not.toHaveBeenCalled();
  await database.transaction(caught);
  expect(onRefused).toHaveBeenCalledTimes(1);
});

test('statements before, after and beside a transaction run, and so do those of the transaction', async () => {
  let enter = (): void => undefined;
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let later: Promise<unknown> | undefined;
  const running = database.transaction(async (own) => {
    enter();
    await finished;
    later = new Promise<void>((resolve) => setImmediate(resolve)).then(() => database.query(statement));
    return own.query(statement);
  });
  await entered;
  expect(await database.query(statement)).toEqual([]);
  finish();
  expect(await running).toEqual([]);
  expect(await later).toEqual([]);
});
