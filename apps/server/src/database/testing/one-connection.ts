/**
 * The embedded database has one connection, so code that asks for another inside a transaction waits for ever there (ADR 1).
 * PostgreSQL has more, and would hide it. So the tests on PostgreSQL refuse it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../database.ts';

const running = new AsyncLocalStorage<{ isOpen: boolean }>();

/**
 * The same database, which throws when it is used by work that holds one of its connections.
 * @param onRefused called as well, because a caller may catch the error
 */
export function refusingSecondConnections(database: Database, onRefused: () => void): Database {
  const refuse = (): void => {
    if (running.getStore()?.isOpen) {
      onRefused();
      throw new Error(
        'Inside a transaction, use the transaction: the embedded database has no second connection (ADR 1)',
      );
    }
  };
  return {
    ...database,
    async query(statement) {
      refuse();
      return database.query(statement);
    },
    async transaction(work) {
      refuse();
      return database.transaction((transaction) => {
        // What the work started without waiting for it may go on after the transaction.
        const state = { isOpen: true };
        return running.run(state, async () => {
          try {
            return await work(transaction);
          } finally {
            state.isOpen = false;
          }
        });
      });
    },
  };
}

/** Runs work inside a transaction of a test as another process would: with connections of its own. */
export function asAnotherProcess<Result>(work: () => Result): Result {
  return running.exit(work);
}
