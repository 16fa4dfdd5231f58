/**
 * Adds old changes to the sums of chains that nobody compares: no node answers, or the chain has left the settings (SRV-1). So the changes
 * of a chain are never more than those of some days.
 */
import type { Database } from '../database/database.ts';
import type { DueWork } from '../jobs/due-worker.ts';
import { addChanges } from './chain-sums.ts';

const HOUR_MS = 3_600_000;
/** A comparison adds the changes of a day. An addition meanwhile would let a count of all payments begin again. */
const OLD_AFTER_HOURS = 36;
/** For the changes of a chain that came while no cashier ran. */
const LONGEST_FOLD = '30min';

/** The hourly work. It claims nothing: the look itself adds what is old. */
export function foldOldChanges(database: Database): DueWork<never> {
  return {
    name: 'chain-changes',
    idleMs: HOUR_MS,
    isByTimeAlone: true,
    async claim() {
      const old = await database.query<{ chain: string }>({
        text: `select chain from chain_change where id < time_id_at(now() - make_interval(hours => $1)) group by chain order by chain`,
        values: [OLD_AFTER_HOURS],
      });
      const failures: unknown[] = [];
      // One chain that fails keeps no other one waiting.
      for (const { chain } of old) await foldChanges(database, chain).catch((error: unknown) => failures.push(error));
      if (failures.length > 0)
        throw new AggregateError(failures, 'The changes of some chains were not added to their sums');
      return [];
    },
    async handle() {
      // Nothing is claimed.
    },
  };
}

/** Adds the changes of a chain to its sums, and forgets those of assets that were never counted: the first count reads all their payments. */
export async function foldChanges(database: Database, chain: string): Promise<void> {
  const inTime = { text: `set local statement_timeout = '${LONGEST_FOLD}'` };
  await database.transaction(async (transaction) => {
    await transaction.query({ text: 'set transaction isolation level repeatable read' });
    await transaction.query(inTime);
    await addChanges(transaction, chain);
  });
  await database.transaction(async (transaction) => {
    await transaction.query(inTime);
    await transaction.query({ text: 'select forget_uncounted_changes($1)', values: [chain] });
  });
}
