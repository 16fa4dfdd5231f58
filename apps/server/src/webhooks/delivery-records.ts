/** The list of webhook deliveries of an operator, and their replay (SRV-5). */
import type { Delivery, DeliveryPage, DeliveryQuery } from '@opencashier/contract/operator';
import type { Database, Queryable } from '../database/database.ts';
import { inEachMonth, type OfMonth, type PaymentMonth } from '../ledger/payment-months.ts';
import { idIn, newestIds, timesOf } from '../requests/months-back.ts';
import { idAlone, pagedList } from '../requests/page-cursor.ts';

const deliveryList = pagedList('webhook deliveries', idAlone);

interface DeliveryRow {
  id: string;
  type: string;
  deposit_id: string | null;
  withdrawal_id: string | null;
  status: Delivery['status'];
  created_at: Date;
  delivered_at: Date | null;
  next_at: Date | null;
  is_replayable: boolean;
  switched_off: Date | null;
  attempts: number | null;
  tried_at: Date | null;
  answer: number | null;
  error: string | null;
  duration_ms: number | null;
}

/** The body and the sealed data are never selected, because they may contain secrets. */
const columns = `delivery.id, delivery.type, delivery.deposit_id, delivery.withdrawal_id, delivery.status,
  delivery.created_at, delivery.delivered_at,
  greatest(queued.next_at, circuit.paused_until) as next_at,
  delivery.useless_at is null as is_replayable, operator.webhook_disabled_at as switched_off,
  last_try.n as attempts, last_try.at as tried_at, last_try.status as answer, last_try.error, last_try.duration_ms`;
/** @param attempts true for the attempts to look at; absent: all of the delivery */
const tablesOf = (
  deliveries: string,
  attempts = 'true',
): string => `${deliveries} join operator on operator.id = delivery.operator_id
  left join webhook_queue queued on queued.operator_id = delivery.operator_id and queued.delivery_id = delivery.id
  left join webhook_circuit circuit on circuit.operator_id = operator.id and circuit.address = operator.webhook_url
  left join lateral (
    select n, at, status, error, duration_ms from webhook_attempt
    where operator_id = delivery.operator_id and delivery_id = delivery.id and ${attempts} order by n desc limit 1
  ) last_try on true`;
const tables = tablesOf('webhook_delivery delivery');

/** Few webhooks are not delivered, and an index holds only those. */
const undelivered = `and delivery.status <> 'delivered'`;

/**
 * Deliveries of an operator, newest first.
 * @param cursor from the page before; `undefined`: the first page
 */
export async function deliveryPage(
  database: Queryable,
  operatorId: string,
  { limit, cursor, ...filter }: DeliveryQuery,
): Promise<DeliveryPage> {
  const after = deliveryList.placeOf(cursor);
  const ids = await newestIds(database, operatorId, {
    after: after?.id,
    limit: limit + 1,
    statement: (since, until, most) => ({
      // Without a name, so that it is planned for these filters and months. A plan for all of them would search no index by the cursor.
      text: `select delivery.id from webhook_delivery delivery
        where delivery.operator_id = $1 and ${idIn('delivery.id', '$8', '$9')}
          and ($2::uuid is null or delivery.id < $2)
          and ($3::text is null or delivery.type = $3) and ($4::text is null or delivery.status = $4)
          ${filter.status === undefined || filter.status === 'delivered' ? '' : undelivered}
          and ($5::timestamptz is null or (delivery.created_at >= $5 and delivery.id >= time_id_at($5)))
          and ($6::timestamptz is null or (delivery.created_at < $6 and delivery.id < time_id_at($6 + interval '1 ms')))
        order by delivery.id desc limit $7`,
      values: [
        operatorId,
        after?.id ?? null,
        filter.type ?? null,
        filter.status ?? null,
        filter.from ?? null,
        filter.to ?? null,
        most,
        since,
        until,
      ],
    }),
  });
  const rows = await deliveriesWith(database, operatorId, ids);
  const { page, next } = deliveryList.pageOf(rows, limit, ({ id }) => ({ id }));
  const [operator] = await database.query<{ since: Date | null }>({
    name: 'webhook_switched_off',
    text: 'select webhook_disabled_at as since from operator where id = $1',
    values: [operatorId],
  });
  return {
    deliveries: page.map(deliveryOf),
    ...(operator?.since && { switchedOffSince: operator.since.toISOString() }),
    ...next,
  };
}

/** What a list shows of deliveries, newest first. */
async function deliveriesWith(
  database: Queryable,
  operatorId: string,
  ids: readonly { readonly id: string }[],
): Promise<DeliveryRow[]> {
  if (ids.length === 0) return [];
  return database.query<DeliveryRow>({
    // Without a name, so that it is planned for these times.
    text: `select ${columns} from ${tablesOf('webhook_delivery delivery', idIn('delivery_id', '$3', '$4'))}
      where delivery.operator_id = $1 and delivery.id = any($2::uuid[]) and ${idIn('delivery.id', '$3', '$4')}
      order by delivery.id desc`,
    values: [operatorId, ids.map(({ id }) => id), ...timesOf(ids)],
  });
}

/**
 * Deliveries about payments, by the payment's id, oldest first.
 * @param months in which the payments have webhooks
 * @param mostEach deliveries of one payment, at most
 */
export async function deliveriesOf(
  queryable: Queryable,
  months: readonly PaymentMonth[],
  mostEach: number,
): Promise<Map<string, Delivery[]>> {
  if (months.length === 0) return new Map();
  const rows = await queryable.query<DeliveryRow>(inEachMonth(months, deliveriesIn, 'id'));
  const lists = new Map<string, Delivery[]>();
  for (const row of rows) {
    const payment = row.deposit_id ?? row.withdrawal_id ?? '';
    const list = lists.get(payment) ?? [];
    if (list.length < mostEach) list.push(deliveryOf(row));
    lists.set(payment, list);
  }
  return lists;
}

const deliveriesIn = ({ payments, holds }: OfMonth): string =>
  `select ${columns} from ${tablesOf(
    `${payments} cross join lateral (select * from webhook_delivery about where about.operator_id = payment.operator_id
      and (about.deposit_id = payment.id or about.withdrawal_id = payment.id) and ${holds('about.id')} offset 0) delivery`,
    holds('delivery_id'),
  )}`;

function deliveryOf(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    type: row.type,
    ...(row.deposit_id !== null && { depositId: row.deposit_id }),
    ...(row.withdrawal_id !== null && { withdrawalId: row.withdrawal_id }),
    status: row.status,
    created: row.created_at.toISOString(),
    ...(row.delivered_at && { delivered: row.delivered_at.toISOString() }),
    attempts: row.attempts ?? 0,
    ...(row.tried_at && {
      lastAttempt: {
        at: row.tried_at.toISOString(),
        ...(row.answer !== null && { status: row.answer }),
        ...(row.error !== null && { error: row.error }),
        durationMs: row.duration_ms ?? 0,
      },
    }),
    ...(row.next_at !== null && row.switched_off === null && { nextAttempt: row.next_at.toISOString() }),
    isReplayable: row.is_replayable,
  };
}

/** `not-kept`: the webhook contained a confirmation code, which is deleted after delivery or expiry. */
export type Replay = Delivery | 'unknown' | 'not-kept';

const replayable =
  'select operator_id, id from webhook_delivery where operator_id = $1 and id = $2 and useless_at is null';

/**
 * Queues a delivery again under its own id, in any status, and switches the operator's address on again.
 * @returns the delivery, pending again
 */
export function replayDelivery(database: Database, operatorId: string, deliveryId: string): Promise<Replay> {
  return database.transaction(async (transaction) => {
    // Locks: circuit, queue, delivery, operator. The outcome of an attempt locks in the same order, so the two never deadlock.
    // The operator asks for a replay after it has fixed the receiver, so the pause of the address ends.
    await transaction.query({
      text: `delete from webhook_circuit where operator_id = $1 and exists (${replayable})`,
      values: [operatorId, deliveryId],
    });
    const queued = await transaction.query({
      text: `insert into webhook_queue (operator_id, delivery_id) ${replayable}
        on conflict (operator_id, delivery_id) do update set attempts = 0, next_at = now() returning 1`,
      values: [operatorId, deliveryId],
    });
    if (queued.length > 0) {
      await transaction.query({
        text: `update webhook_delivery set status = 'pending', delivered_at = null where operator_id = $1 and id = $2`,
        values: [operatorId, deliveryId],
      });
      await transaction.query({
        text: 'update operator set webhook_disabled_at = null where id = $1',
        values: [operatorId],
      });
    }
    const [row] = await transaction.query<DeliveryRow>({
      text: `select ${columns} from ${tables} where delivery.operator_id = $1 and delivery.id = $2`,
      values: [operatorId, deliveryId],
    });
    if (row === undefined) return 'unknown';
    return queued.length > 0 ? deliveryOf(row) : 'not-kept';
  });
}
