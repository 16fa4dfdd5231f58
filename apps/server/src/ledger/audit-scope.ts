/** Which rows an audit judges: all, or those that came or changed since the last checked point of their operator. */

/** Parts of a statement. A query begins with `rows` and has a condition for each table. The names are constants of ours. */
export interface AuditScope {
  readonly isFull: boolean;
  /** Empty, or a WITH clause with `checked`, the last point by operator. */
  readonly rows: string;
  readonly deposit: (idColumn: string) => string;
  readonly withdrawal: (idColumn: string) => string;
  readonly journal: (idColumn: string) => string;
  /** Rows that never change, by their time. */
  readonly late: (operatorColumn: string, timeColumn: string) => string;
}

const all = (): string => 'true';

export const wholeLedger: AuditScope = {
  isFull: true,
  rows: '',
  deposit: all,
  withdrawal: all,
  journal: all,
  late: all,
};

/** A point in the future would hide rows, so it does not count. */
export const CHECKED = `checked as materialized (select operator.id as operator_id,
  coalesce(max(audit_point.until) filter (where audit_point.until <= now()), '-infinity') as until
  from operator left join audit_point on audit_point.operator_id = operator.id group by operator.id)`;

/**
 * A row counts as changed when its own time or the time of a row that depends on it is after the point. The triggers write these times.
 * Materialized, because the database would else run the parts again for each row of a table without statistics.
 * A changed deposit or withdrawal brings its old journals along, because they must agree with its new state.
 */
export const sincePoints: AuditScope = {
  isFull: false,
  rows: `with ${CHECKED},
  changed_deposit as materialized (
    select deposit.id from deposit join checked using (operator_id) where deposit.updated_at >= checked.until
    union select payment.deposit_id from payment join deposit on deposit.id = payment.deposit_id
      join checked on checked.operator_id = deposit.operator_id where payment.updated_at >= checked.until
    union select dispute.deposit_id from dispute join deposit on deposit.id = dispute.deposit_id
      join checked on checked.operator_id = deposit.operator_id where dispute.updated_at >= checked.until
    union select refund.deposit_id from refund join checked using (operator_id) where refund.updated_at >= checked.until
    union select journal.deposit_id from journal join checked using (operator_id)
      where journal.at >= checked.until and journal.deposit_id is not null),
  changed_withdrawal as materialized (
    select withdrawal.id from withdrawal join checked using (operator_id) where withdrawal.updated_at >= checked.until
    union select payout.withdrawal_id from payout join withdrawal on withdrawal.id = payout.withdrawal_id
      join checked on checked.operator_id = withdrawal.operator_id where payout.updated_at >= checked.until
    union select journal.withdrawal_id from journal join checked using (operator_id)
      where journal.at >= checked.until and journal.withdrawal_id is not null),
  changed_journal as materialized (
    select journal.id from journal join checked using (operator_id) where journal.at >= checked.until
    union select journal.id from changed_deposit join journal on journal.deposit_id = changed_deposit.id
    union select journal.id from changed_withdrawal join journal on journal.withdrawal_id = changed_withdrawal.id)
  `,
  deposit: (column) => `${column} in (select id from changed_deposit)`,
  withdrawal: (column) => `${column} in (select id from changed_withdrawal)`,
  journal: (column) => `${column} in (select id from changed_journal)`,
  late: (operator, time) => `${time} >= (select until from checked where checked.operator_id = ${operator})`,
};
