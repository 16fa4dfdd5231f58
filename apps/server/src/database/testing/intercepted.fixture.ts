import type { Database, Statement } from '../database.ts';
import { asAnotherProcess } from './one-connection.ts';

/**
 * A database in whose transactions something happens before a statement, such as the work of another process.
 * @param before a rejection keeps the statement away, as a lost connection does
 */
export function intercepted(database: Database, before: (statement: Statement) => Promise<void>): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction((transaction) =>
        work({
          ...transaction,
          async query(statement) {
            await asAnotherProcess(() => before(statement));
            return transaction.query(statement);
          },
        }),
      ),
  };
}

/**
 * A database on which something happens between the statements outside transactions, such as the work of another process.
 * @param happens is told how many of them were answered, and the last one; 0: before the first
 */
export function betweenReads(
  database: Database,
  happens: (reads: number, last?: Statement) => Promise<unknown>,
): Database {
  let reads = 0;
  return {
    ...database,
    async query(statement) {
      if (reads === 0) await happens(0);
      const rows = await database.query<never>(statement);
      reads += 1;
      await happens(reads, statement);
      return rows;
    },
  };
}

/**
 * A database on which something happens before transactions.
 * @param happens is told how many were begun before
 */
export function beforeTransactions(database: Database, happens: (begun: number) => Promise<unknown>): Database {
  let begun = 0;
  return {
    ...database,
    async transaction(work) {
      begun += 1;
      await happens(begun - 1);
      return database.transaction(work);
    },
  };
}
