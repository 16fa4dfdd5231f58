/** Queues many pushes and webhooks of one operator, in the transaction that moves the money (SRV-5). */
import type { DepositWebhookData, WebhookType } from '@opencashier/contract/operator';
import type { Transaction } from '../database/database.ts';
import { hasReceiver, webhookBody } from './queue-webhook.ts';
import { PUSH_LEASE_S, type QueuedPush } from './queued-push.ts';

/** A push to the widgets of a user. */
interface Push {
  readonly userId: string;
  readonly name: string;
  readonly body: object;
}

/** A webhook about a deposit. */
export interface DepositWebhook {
  readonly type: WebhookType;
  /** When the event happened, ISO 8601. */
  readonly at: string;
  readonly data: DepositWebhookData;
}

interface Messages {
  readonly pushes: readonly Push[];
  readonly webhooks: readonly DepositWebhook[];
  /** True: this node sends the pushes after the commit. Until their lease ends, no node claims them. */
  readonly isLeased: boolean;
}

/**
 * Queues pushes in their order, and webhooks if the operator has a webhook address.
 * @returns the rows of the pushes, in their order
 */
export async function queueMessages(
  transaction: Transaction,
  operatorId: string,
  { pushes, webhooks, isLeased }: Messages,
): Promise<QueuedPush[]> {
  const attempts = isLeased ? 1 : 0;
  const rows = await transaction.query<{ id: bigint }>({
    name: 'messages-queue',
    text: `with delivery as (
        insert into webhook_delivery (operator_id, type, deposit_id, body, status)
        select operator.id, webhook.type, webhook.deposit_id, webhook.body,
          case when operator.webhook_url is null then 'undeliverable' else 'pending' end
        from operator cross join unnest($2::text[], $3::uuid[], $4::text[]) as webhook(type, deposit_id, body)
        where operator.id = $1 and ${hasReceiver}
        returning operator_id, id, status
      ), queued as (
        insert into webhook_queue (operator_id, delivery_id) select operator_id, id from delivery where status = 'pending'
      )
      insert into outbox (topic, operator_id, user_id, name, body, attempts, next_at)
      select 'push', $1, push.user_id, push.name, push.body, $8::int, now() + make_interval(secs => $9::float8)
      from unnest($5::text[], $6::text[], $7::jsonb[]) with ordinality as push(user_id, name, body, n) order by push.n
      returning id`,
    values: [
      operatorId,
      webhooks.map(({ type }) => type),
      webhooks.map(({ data }) => data.depositId),
      webhooks.map(({ type, at, data }) => webhookBody(type, at, data)),
      pushes.map(({ userId }) => userId),
      pushes.map(({ name }) => name),
      pushes.map(({ body }) => JSON.stringify(body)),
      attempts,
      isLeased ? PUSH_LEASE_S : 0,
    ],
  });
  return pushes.map((push, index) => {
    const row = rows[index];
    if (row === undefined) throw new Error('A push was not queued');
    return { ...push, id: row.id, operatorId, attempts };
  });
}
