/**
 * Ends webhooks that nobody can receive (SRV-5): their operator has no address, or the address is switched off. Without an end they would
 * wait for ever, and no month with such a webhook could be archived. Staff see them, and a replay sends them again.
 */
import type { Database } from '../database/database.ts';
import type { DueWork } from '../jobs/due-worker.ts';
import { lanesOf } from '../jobs/lanes.ts';
import { measure } from '../observability/measure.ts';

/** Days after which a webhook that nobody can receive ends. An operator has so long to set or repair its address. */
const UNDELIVERABLE_DAYS = 30;
const IDLE_MS = 10 * 60_000;
/** Of one operator in one statement. */
const BATCH = 500;

interface Ended {
  readonly operatorId: string;
  readonly webhooks: number;
}

export function endUndeliverable(
  database: Database,
  logger: { warn(fields: object, message: string): void },
): DueWork<Ended> {
  return {
    name: 'undeliverable-webhooks',
    idleMs: IDLE_MS,
    isByTimeAlone: true,
    // Claimed rows have ended already. More may be left, so the worker claims again at once.
    claim: () => endBatch(database),
    async handle({ operatorId, webhooks }) {
      logger.warn({ operatorId, webhooks, days: UNDELIVERABLE_DAYS }, 'webhooks ended: nobody could receive them');
    },
  };
}

function endBatch(database: Database): Promise<Ended[]> {
  return database.transaction(async (transaction) => {
    // `next_at` of a webhook that cannot be sent stays in the past. A replay sets it to now.
    const ended = await transaction.query<Ended>({
      name: 'webhook-undeliverable',
      text: `with recursive lane(name) as (${lanesOf('webhook_queue', 'operator_id', 'true')}),
        old as (
          select queued.operator_id, queued.delivery_id from lane join operator on operator.id = lane.name
            cross join lateral (
              select operator_id, delivery_id from webhook_queue
              where operator_id = operator.id and next_at <= now() - make_interval(days => $1)
              order by next_at limit ${BATCH} for update skip locked) queued
          where operator.webhook_url is null or operator.webhook_disabled_at is not null
        ), gone as (
          delete from webhook_queue queue using old
          where queue.operator_id = old.operator_id and queue.delivery_id = old.delivery_id
          returning queue.operator_id, queue.delivery_id
        ), ended as (
          update webhook_delivery delivery set status = 'undeliverable' from gone
          where delivery.operator_id = gone.operator_id and delivery.id = gone.delivery_id returning delivery.operator_id
        )
        select operator_id as "operatorId", count(*)::int as webhooks from ended group by operator_id`,
      values: [UNDELIVERABLE_DAYS],
    });
    for (const { webhooks } of ended) measure(transaction, 'webhooksEnded', { end: 'undeliverable' }, webhooks);
    return ended;
  });
}
