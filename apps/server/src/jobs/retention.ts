/**
 * Deletes telemetry, payment sessions and used captchas that are older than 30 days. Whole partitions of telemetry are dropped, and of
 * decisions of routes after 13 months. Erases the content of files for a bank 30 days after the last of their transfers has ended.
 */
import type { Queryable } from '../database/database.ts';
import type { DueWork } from './due-worker.ts';

const keptDays = 30;
const hourMs = 3_600_000;
/** Small enough that a delete blocks nothing for long. */
const batch = 5_000;

const oldDay = `day < (now() at time zone 'UTC')::date - $1::int`;

/**
 * A statement for each table. Of telemetry only a partition of more than a day has old rows left: part of its days is still young.
 * Rows of two partitions can have the same ctid, so the statement also compares the table and the day of each row. A statement deletes
 * a batch, and is repeated until nothing old is left.
 */
const statements = [
  `delete from telemetry_event where ${oldDay} and (tableoid, ctid) in (
    select tableoid, ctid from telemetry_event where ${oldDay} limit $2)`,
  `delete from payment_session where (operator_id, id) in (
    select operator_id, id from payment_session where created_at < now() - make_interval(days => $1::int) limit $2)`,
  `delete from captcha_use where lot_hash in (
    select lot_hash from captcha_use where used_at < now() - make_interval(days => $1::int) limit $2)`,
  // A few at a time: a file may have ten thousand transfers.
  `update payout_file set sealed = null, key_id = null, erased_at = now() where (operator_id, id) in (
    select operator_id, id from payout_file file where erased_at is null and built_at < now() - make_interval(days => $1::int)
      and not exists (select 1 from payout_file_line line join payout_transfer transfer using (operator_id, withdrawal_id)
        where line.operator_id = file.operator_id and line.file_id = file.id
          and (transfer.state in ('queued', 'filed', 'stopped') or transfer.changed_at >= now() - make_interval(days => $1::int)))
    order by built_at limit least($2::int, 20))`,
];

export function forgetOldRows(database: Queryable): DueWork<number> {
  return {
    name: 'retention',
    idleMs: hourMs,
    async claim() {
      await database.query({ text: 'select forget_telemetry(), forget_routing_decisions()' });
      let deleted = 0;
      for (const text of statements) {
        const rows = await database.query<object>({ text: `${text} returning 1`, values: [keptDays, batch] });
        deleted += rows.length;
      }
      return deleted > 0 ? [deleted] : [];
    },
    async handle() {
      // The claim has deleted the rows already.
    },
  };
}
