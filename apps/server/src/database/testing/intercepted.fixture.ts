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
