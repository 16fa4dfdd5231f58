/** Makes rows look as if they had been written months ago, so that tests can archive months that they have filled themselves. */
import type { Database } from '../database/database.ts';
import { withoutTriggers } from './without-triggers.fixture.ts';

const TIMES: Readonly<Record<string, readonly string[]>> = {
  deposit: ['created_at', 'updated_at'],
  withdrawal: ['created_at', 'updated_at'],
  payment: ['created_at', 'updated_at', 'credited_at'],
  payout: ['created_at', 'updated_at'],
  refund: ['created_at', 'updated_at'],
  dispute: ['created_at', 'updated_at'],
  operator_transfer: ['created_at'],
  debt_settlement: ['at'],
  account: ['frozen_at'],
};

/** Makes partitions of the ledger: of a month from `first` to `last` months ago, and larger ones since then. */
export async function makeOldPartitions(database: Database, first: number, last: number): Promise<void> {
  const made = `from time_partitioned where name in ('journal', 'posting')`;
  for (const text of [
    `select extend_partitions(name, now() - make_interval(months => $1), now() - make_interval(months => $2), 'month') ${made}`,
    `select extend_partitions(name, now() - make_interval(months => $2 - 1 + 0 * $1), now(), 'year') ${made}`,
  ]) {
    await database.query({ text, values: [first, last] });
  }
}

/**
 * Moves everything in the ledger some months back. The order of the journals stays.
 * @param months one number for all; several divide the journals, the oldest first. Journals of one transaction stay together
 */
export async function makeOlder(database: Database, ...months: readonly number[]): Promise<void> {
  const earlier = (time: string, by: string | number): string =>
    `((${time} at time zone 'UTC') - make_interval(months => ${by})) at time zone 'UTC'`;
  const olderId = (id: string): string =>
    `(left(replace(time_id_at(${earlier(`time_of_id(${id})`, 'older.months')})::text, '-', ''), 12) || right(replace(${id}::text, '-', ''), 20))::uuid`;
  await database.transaction((transaction) =>
    withoutTriggers(transaction, [
      `create temp table older on commit drop as
        select id, (array[${months.join(', ')}])[1 + (nth - 1) * ${months.length} / (max(nth) over ())] as months
        from (select id, dense_rank() over (order by at) as nth from journal) ranked`,
      `update journal_key set journal_id = ${olderId('journal_id')} from older where older.id = journal_id`,
      `update posting set journal_id = ${olderId('journal_id')} from older where older.id = journal_id`,
      `update journal set id = ${olderId('journal.id')}, at = ${earlier('at', 'older.months')} from older where older.id = journal.id`,
      ...Object.entries(TIMES).map(
        ([table, columns]) =>
          `update ${table} set ${columns.map((column) => `${column} = ${earlier(column, Math.max(...months))}`).join(', ')}`,
      ),
    ]),
  );
}
