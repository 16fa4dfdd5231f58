/** The list of webhook deliveries of an operator, and their replay (SRV-5). */
import type { Delivery, DeliveryPage, DeliveryQuery } from '@opencashier/contract/operator';
import type { Database, Queryable } from '../database/database.ts';
import { momentAndId, pagedList } from '../requests/page-cursor.ts';

const deliveryList = pagedList('webhook deliveries', momentAndId);

interface DeliveryRow {
  id: string;
  type: string;
  deposit_id: string | null;
  withdrawal_id: string | null;
  status: Delivery['status'];
  created_at: Date;
  created_text: string;
  delivered_at: Date | null;
  next_at: Date;
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
  delivery.created_at, delivery.created_at::text as created_text, delivery.delivered_at,
  greatest(delivery.next_at, circuit.paused_until) as next_at,
  delivery.useless_at is null as is_replayable, operator.webhook_disabled_at as switched_off,
  last_try.n as attempts, last_try.at as tried_at, last_try.status as answer, last_try.error, last_try.duration_ms`;
const tables = `webhook_delivery delivery join operator on operator.id = delivery.operator_id
  left join webhook_circuit circuit on circuit.operator_id = operator.id and circuit.address = operator.webhook_url
  left join lateral (
    select n, at, status, error, duration_ms from webhook_attempt
    where delivery_id = delivery.id order by n desc limit 1
  ) last_try on true`;

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
  const rows = await database.query<DeliveryRow>({
    // Without a name, so that it is planned for these filters. A plan for all of them would search no index by the cursor.
    text: `select ${columns} from ${tables}
      where delivery.operator_id = $1
        and ($2::timestamptz is null or (delivery.created_at, delivery.id) < ($2::timestamptz, $3::uuid))
        and ($4::text is null or delivery.type = $4) and ($5::text is null or delivery.status = $5)
        ${filter.status === undefined || filter.status === 'delivered' ? '' : undelivered}
        and ($6::timestamptz is null or delivery.created_at >= $6)
        and ($7::timestamptz is null or delivery.created_at < $7)
      order by delivery.created_at desc, delivery.id desc limit $8`,
    values: [
      operatorId,
      after?.at ?? null,
      after?.id ?? null,
      filter.type ?? null,
      filter.status ?? null,
      filter.from ?? null,
      filter.to ?? null,
      limit + 1,
    ],
  });
  const { page, next } = deliveryList.pageOf(rows, limit, (row) => ({ at: row.created_text, id: row.id }));
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

/** Deliveries about payments, by the payment's id, oldest first. @param mostEach deliveries of one payment, at most */
export async function deliveriesOf(
  queryable: Queryable,
  /** The operators of the payments, and the ids of the payments. */
  names: readonly (readonly string[])[],
  mostEach: number,
): Promise<Map<string, Delivery[]>> {
  const rows = await queryable.query<DeliveryRow>({
    name: 'webhook_deliveries_of_payments',
    text: `select ${columns} from ${tables}
      where delivery.operator_id = any($1::text[])
        and (delivery.deposit_id = any($2::uuid[]) or delivery.withdrawal_id = any($2::uuid[]))
      order by delivery.created_at, delivery.id`,
    values: names,
  });
  const lists = new Map<string, Delivery[]>();
  for (const row of rows) {
    const payment = row.deposit_id ?? row.withdrawal_id ?? '';
    const list = lists.get(payment) ?? [];
    if (list.length < mostEach) list.push(deliveryOf(row));
    lists.set(payment, list);
  }
  return lists;
}

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
    ...(row.status === 'pending' && row.switched_off === null && { nextAttempt: row.next_at.toISOString() }),
    isReplayable: row.is_replayable,
  };
}

/** `not-kept`: the webhook contained a confirmation code, which is deleted after delivery or expiry. */
export type Replay = Delivery | 'unknown' | 'not-kept';

/**
 * Queues a delivery again under its own id, in any status, and switches the operator's address on again.
 * @returns the delivery, pending again
 */
export function replayDelivery(database: Database, operatorId: string, deliveryId: string): Promise<Replay> {
  return database.transaction(async (transaction) => {
    const queued = await transaction.query({
      text: `update webhook_delivery set status = 'pending', attempts = 0, next_at = now(), delivered_at = null
        where id = $1 and operator_id = $2 and useless_at is null returning id`,
      values: [deliveryId, operatorId],
    });
    if (queued.length > 0) {
      await transaction.query({
        text: 'update operator set webhook_disabled_at = null where id = $1',
        values: [operatorId],
      });
      // The operator asks for a replay after it has fixed the receiver, so the pause of the address ends.
      await transaction.query({
        text: 'delete from webhook_circuit where operator_id = $1',
        values: [operatorId],
      });
    }
    const [row] = await transaction.query<DeliveryRow>({
      text: `select ${columns} from ${tables} where delivery.id = $1 and delivery.operator_id = $2`,
      values: [deliveryId, operatorId],
    });
    if (row === undefined) return 'unknown';
    return queued.length > 0 ? deliveryOf(row) : 'not-kept';
  });
}
