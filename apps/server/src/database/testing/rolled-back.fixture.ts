import type { Database, Transaction } from '../database.ts';

class Undo extends Error {}

/** Runs work in a transaction that is rolled back. Answers its result, which must not be undefined. */
export async function rolledBack<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const results: Result[] = [];
  await database
    .transaction(async (transaction) => {
      results.push(await work(transaction));
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  const [result] = results;
  if (result === undefined) throw new Error('The work gave no result');
  return result;
}
