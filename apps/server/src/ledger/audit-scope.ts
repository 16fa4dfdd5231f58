/** Which rows an audit judges: all, or those that came or changed since the last checked point of their operator. */

/** True for the rows of the scope. */
type Condition = (idColumn: string, operatorColumn: string) => string;

/** Parts of a statement. A query begins with `rows` and has a condition for each table. The names are constants of ours. */
export interface AuditScope {
  readonly isFull: boolean;
  /** Empty, or a WITH clause with `checked`, the last point by operator. */
  readonly rows: string;
  readonly deposit: Condition;
  readonly withdrawal: Condition;
  readonly journal: Condition;
  /** Keys of journals, by the time in the journal's id. Keys of archived months stay without their journals. */
  readonly keys: string;
  /** Rows that never change, by their time. */
  readonly late: (operatorColumn: string, timeColumn: string) => string;
}

const all = (): string => 'true';

const within =
  (changed: string): Condition =>
  (id, operator) =>
    `(${operator}, ${id}) in (select operator_id, id from ${changed})`;

export const wholeLedger: AuditScope = {
  isFull: true,
  rows: '',
  deposit: all,
  withdrawal: all,
  journal: all,
  keys: 'key.journal_id >= (select archived_before())',
  late: all,
};

/**
 * A point in the future would hide rows, so it does not count. `since_id` is the first id of a journal after the point of its operator,
 * and `first_id` of all operators: a plan of any kind leaves out the partitions before it.
 */
export const CHECKED = `checked as materialized (select operator_id, until, time_id_at(greatest(until, 'epoch')) as since_id,
  time_id_at(greatest(min(until) over (), 'epoch')) as first_id from (
  select operator.id as operator_id,
    coalesce(max(audit_point.until) filter (where audit_point.until <= now()), '-infinity') as until
  from operator left join audit_point on audit_point.operator_id = operator.id group by operator.id) last)`;

/** True for the journals after the point `checked` of their operator, apart from their exact time. */
export const AFTER_POINT = 'journal.id >= checked.since_id and journal.id >= (select first_id from checked limit 1)';

/**
 * A row counts as changed when its own time or the time of a row that depends on it is after the point. The triggers write these times.
 * Materialized, because the database would else run the parts again for each row of a table without statistics.
 * A changed deposit or withdrawal brings its old journals along, because they must agree with its new state.
 */
export const sincePoints: AuditScope = {
  isFull: false,
  rows: `with ${CHECKED},
  changed_deposit as materialized (
    select operator_id, deposit.id from deposit join checked using (operator_id) where deposit.updated_at >= checked.until
    union select operator_id, payment.deposit_id from payment join checked using (operator_id) where payment.updated_at >= checked.until
    union select operator_id, dispute.deposit_id from dispute join checked using (operator_id) where dispute.updated_at >= checked.until
    union select operator_id, refund.deposit_id from refund join checked using (operator_id) where refund.updated_at >= checked.until
    union select operator_id, journal.deposit_id from journal join checked using (operator_id)
      where ${AFTER_POINT} and journal.at >= checked.until and journal.deposit_id is not null),
  changed_withdrawal as materialized (
    select operator_id, withdrawal.id from withdrawal join checked using (operator_id) where withdrawal.updated_at >= checked.until
    union select operator_id, payout.withdrawal_id from payout join checked using (operator_id) where payout.updated_at >= checked.until
    union select operator_id, journal.withdrawal_id from journal join checked using (operator_id)
      where ${AFTER_POINT} and journal.at >= checked.until and journal.withdrawal_id is not null),
  changed_journal as materialized (
    select operator_id, journal.id from journal join checked using (operator_id)
      where ${AFTER_POINT} and journal.at >= checked.until
    union select operator_id, journal.id from changed_deposit changed join journal using (operator_id) where journal.deposit_id = changed.id
    union select operator_id, journal.id from changed_withdrawal changed join journal using (operator_id)
      where journal.withdrawal_id = changed.id)
  `,
  deposit: within('changed_deposit'),
  withdrawal: within('changed_withdrawal'),
  journal: within('changed_journal'),
  keys: `key.journal_id >= (select first_id from checked limit 1)
    and key.journal_id >= (select since_id from checked where checked.operator_id = key.operator_id)`,
  late: (operator, time) => `${time} >= (select until from checked where checked.operator_id = ${operator})`,
};
