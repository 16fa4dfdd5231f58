/**
 * The months in which payments have journals or webhooks. A statement that names them opens only their partitions, so it costs the same
 * with any number of months (docs/adr/0022).
 */
import type { Queryable, Statement } from '../database/database.ts';

/** A deposit or withdrawal. */
export interface DatedPayment {
  readonly id: string;
  readonly operatorId: string;
  readonly created: Date;
}

/** A month with the payments that have rows in it. */
export interface PaymentMonth {
  /** The first moment of the month, UTC. */
  readonly since: Date;
  /** The first moment of the next month. */
  readonly until: Date;
  readonly payments: readonly DatedPayment[];
}

/** The months of payments, in their order: the one of each creation, and later ones that the database has noted. */
export async function monthsOf(
  queryable: Queryable,
  payments: readonly DatedPayment[],
): Promise<readonly PaymentMonth[]> {
  if (payments.length === 0) return [];
  const later = await queryable.query<{ id: string; month: string }>({
    name: 'later-months',
    text: `select payment_id as id, month::text from later_month
      where operator_id = any($1::text[]) and payment_id = any($2::uuid[])`,
    values: [[...new Set(payments.map(({ operatorId }) => operatorId))], payments.map(({ id }) => id)],
  });
  const byMonth = new Map<string, DatedPayment[]>();
  const add = (month: string, payment: DatedPayment): void => {
    byMonth.set(month, [...(byMonth.get(month) ?? []), payment]);
  };
  for (const payment of payments) {
    add(payment.created.toISOString().slice(0, 7), payment);
    for (const { id, month } of later) if (id === payment.id) add(month.slice(0, 7), payment);
  }
  return [...byMonth].sort(([one], [other]) => (one < other ? -1 : 1)).map(([month, of]) => monthOf(month, of));
}

function monthOf(month: string, payments: readonly DatedPayment[]): PaymentMonth {
  const since = new Date(`${month}-01T00:00:00Z`);
  return { since, until: new Date(Date.UTC(since.getUTCFullYear(), since.getUTCMonth() + 1)), payments };
}

/** The parts of a SELECT about the payments of one month. All are parameters of ours, such as `$3`. */
export interface OfMonth {
  /** The table `payment (operator_id, id)`. */
  readonly payments: string;
  /** True for ids of time_id() in the month. A plan with the values leaves out all other partitions. */
  readonly holds: (column: string) => string;
}

/**
 * One statement for all months. It has no name, because each number of months has another text. Also, only a plan with the values leaves
 * out the partitions of the other months before it opens them.
 */
export function inEachMonth(
  months: readonly PaymentMonth[],
  select: (month: OfMonth) => string,
  order: string,
): Statement {
  const selects = months.map((_, n) => {
    const [operators, ids, since, until] = [1, 2, 3, 4].map((place) => `$${n * 4 + place}`);
    return select({
      payments: `unnest(${operators}::text[], ${ids}::uuid[]) as payment(operator_id, id)`,
      holds: (column) =>
        `${column} >= time_id_at(${since}::timestamptz) and ${column} < time_id_at(${until}::timestamptz)`,
    });
  });
  return {
    text: `select * from (${selects.join('\nunion all\n')}) every order by ${order}`,
    values: months.flatMap(({ since, until, payments }) => [
      payments.map(({ operatorId }) => operatorId),
      payments.map(({ id }) => id),
      since.toISOString(),
      until.toISOString(),
    ]),
  };
}
