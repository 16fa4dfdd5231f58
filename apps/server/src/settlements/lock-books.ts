/** One lock for all that compares the books of an operator. */
import type { Transaction } from '../database/database.ts';

/** Two files of one operator are compared one after the other, so that a line of one sees what the other settled. */
export async function lockBooks(
  transaction: Transaction,
  { operatorId }: { readonly operatorId: string },
): Promise<void> {
  await transaction.query({
    text: `select pg_advisory_xact_lock(hashtext('settlements ' || $1))`,
    values: [operatorId],
  });
}
