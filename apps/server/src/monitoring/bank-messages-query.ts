/** The query of bank messages whose steps are not all applied (WD-2). */

/** Rows of each kind. More of them are not counted. */
const MOST_ROWS = 10_000;

interface BankRow {
  readonly label: string;
  readonly count: number;
  readonly age: number | null;
}

export const BANK_MESSAGES = {
  name: 'bank-messages',
  // The id of a message begins with its time.
  text: `select 'unfinished' as label, count(*)::int as count, extract(epoch from now() - min(time_of_id(message_id)))::float8 as age from (
      select message_id from bank_message_queue order by operator_id, message_id limit ${MOST_ROWS}) unfinished
    union all select 'set-aside', count(*)::int, extract(epoch from now() - min(set_aside_at))::float8 from (
      select set_aside_at from bank_step_set_aside where ended_at is null order by operator_id, withdrawal_id limit ${MOST_ROWS}) aside`,
  samplesOf: (rows: readonly BankRow[]) =>
    rows.flatMap(({ label, count, age }) => {
      const [counted, aged] =
        label === 'unfinished'
          ? (['cashier_bank_messages_unfinished', 'cashier_oldest_unfinished_bank_message_seconds'] as const)
          : (['cashier_bank_steps_set_aside', 'cashier_oldest_set_aside_bank_step_seconds'] as const);
      return [
        { gauge: counted, labels: {}, value: count },
        ...(age === null ? [] : [{ gauge: aged, labels: {}, value: age }]),
      ];
    }),
};
