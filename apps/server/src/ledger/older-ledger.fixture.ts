/** Makes rows look as if they had been written months ago, so that tests can archive months that they have filled themselves. */
import type { Database } from '../database/database.ts';
import { withoutTriggers } from './without-triggers.fixture.ts';

const TIMES: Readonly<Record<string, readonly string[]>> = {
  operator: ['created_at'],
  deposit: ['created_at', 'updated_at'],
  withdrawal: ['created_at', 'updated_at'],
  payment: ['created_at', 'updated_at', 'credited_at'],
  payout: ['created_at', 'updated_at'],
  refund: ['created_at', 'updated_at'],
  dispute: ['created_at', 'updated_at'],
  operator_transfer: ['created_at'],
  debt_settlement: ['at'],
};

/** Makes partitions of the ledger and of reports: of a month from `first` to `last` months ago, and larger ones since then. */
export async function makeOldPartitions(database: Database, first: number, last: number): Promise<void> {
  const made = `from time_partitioned where name in ('journal', 'posting', 'event_body')`;
  for (const text of [
    `select extend_partitions(name, now() - make_interval(months => $1), now() - make_interval(months => $2), 'month') ${made}`,
    `select extend_partitions(name, now() - make_interval(months => $2 - 1 + 0 * $1), now(), 'year') ${made}`,
  ]) {
    await database.query({ text, values: [first, last] });
  }
}

/**
 * Moves everything in the ledger some months back, and all reports. The order of the journals stays.
 * @param months one number for all; several divide the journals, the oldest first. Journals of one transaction stay together
 */
export async function makeOlder(database: Database, ...months: readonly number[]): Promise<void> {
  const earlier = (time: string, by: string | number): string =>
    `((${time} at time zone 'UTC') - make_interval(months => ${by})) at time zone 'UTC'`;
  const most = Math.max(...months);
  const olderId = (id: string, by: string | number = 'older.months'): string =>
    `(left(replace(time_id_at(${earlier(`time_of_id(${id})`, by)})::text, '-', ''), 12) || right(replace(${id}::text, '-', ''), 20))::uuid`;
  await database.transaction((transaction) =>
    withoutTriggers(transaction, [
      `create temp table older on commit drop as
        select id, at as was_at, (array[${months.join(', ')}])[1 + (nth - 1) * ${months.length} / (max(nth) over ())] as months
        from (select id, at, dense_rank() over (order by at) as nth from journal) ranked`,
      `update journal_key set journal_id = ${olderId('journal_id')} from older where older.id = journal_id`,
      `update posting set journal_id = ${olderId('journal_id')} from older where older.id = journal_id`,
      `update journal set id = ${olderId('journal.id')}, at = ${earlier('at', 'older.months')} from older where older.id = journal.id`,
      `update event_body set id = ${olderId('id', most)}`,
      `update deposit_event set body_id = ${olderId('body_id', most)} where body_id is not null`,
      `update withdrawal_event set body_id = ${olderId('body_id', most)} where body_id is not null`,
      ...Object.entries(TIMES).map(
        ([table, columns]) =>
          `update ${table} set ${columns.map((column) => `${column} = ${earlier(column, most)}`).join(', ')}`,
      ),
      // As old as the chargeback that froze it. Else transfers before the chargeback would come after the freeze.
      `update account set frozen_at = ${earlier(
        'frozen_at',
        `coalesce((select older.months from older where older.was_at <= frozen_at
        order by older.was_at desc limit 1), ${most})`,
      )} where frozen_at is not null`,
      `insert into later_month (operator_id, payment_id, month)
        select distinct journal.operator_id, payment.id, date_trunc('month', journal.at at time zone 'UTC')::date from journal
        join (select operator_id, id, created_at from deposit union all select operator_id, id, created_at from withdrawal) payment
          on payment.operator_id = journal.operator_id and payment.id in (journal.deposit_id, journal.withdrawal_id)
        where date_trunc('month', journal.at at time zone 'UTC') <> date_trunc('month', payment.created_at at time zone 'UTC')
        on conflict do nothing`,
    ]),
  );
}
