/** Queues webhooks as rows, in the transaction that moves the money (SRV-5). A webhook is sent if, and only if, the money moved. */
import type {
  ConfirmationWebhookData,
  DepositWebhookData,
  WebhookType,
  WithdrawalWebhookData,
} from '@opencashier/contract/operator';
import type { Transaction } from '../database/database.ts';

/** Data that must not be readable in the database and that expires, such as a confirmation code. */
export interface SealedWebhookData {
  /** Encrypted by `sealed-data`. The sender adds it to `data`. */
  readonly sealed: Buffer;
  /** From then on the webhook is not sent. */
  readonly uselessAt: Date;
}

type WebhookData = DepositWebhookData | WithdrawalWebhookData | ConfirmationWebhookData;

/** The body of a webhook as it is stored. */
export const webhookBody = (type: WebhookType, at: string, data: WebhookData): string =>
  JSON.stringify({ type, timestamp: at, data });

/**
 * Whether somebody gets the webhooks of a row of `operator`: its address, or a listener of the sandbox. What only a listener gets
 * needs no queue.
 */
export const hasReceiver = `(operator.webhook_url is not null or exists (
  select 1 from webhook_listener where operator_id = operator.id and until > pg_catalog.now()))`;

/**
 * Queues a webhook, if the operator has a webhook address or a listener.
 * @param webhook.at when the event happened, ISO 8601
 * @returns false if nobody gets the webhook
 */
export async function queueWebhook(
  transaction: Transaction,
  webhook: {
    readonly operatorId: string;
    readonly type: WebhookType;
    readonly at: string;
    readonly data: WebhookData;
    readonly secret?: SealedWebhookData;
  },
): Promise<boolean> {
  const queued = await transaction.query({
    name: 'webhook-queue',
    text: `with delivery as (
        insert into webhook_delivery (operator_id, type, deposit_id, withdrawal_id, body, useless_at, status)
        select id, $2, $3, $4, $5, $7::timestamptz, case when webhook_url is null and $7::timestamptz is null then 'undeliverable' else 'pending' end
        from operator where id = $1 and ${hasReceiver}
        returning operator_id, id, useless_at, status
      ), queued as (
        insert into webhook_queue (operator_id, delivery_id, sealed, useless_at)
        select operator_id, id, $6, useless_at from delivery where status = 'pending'
      )
      select 1 from delivery`,
    values: [
      webhook.operatorId,
      webhook.type,
      'depositId' in webhook.data ? webhook.data.depositId : null,
      'withdrawalId' in webhook.data ? webhook.data.withdrawalId : null,
      webhookBody(webhook.type, webhook.at, webhook.data),
      webhook.secret?.sealed ?? null,
      webhook.secret?.uselessAt ?? null,
    ],
  });
  return queued.length > 0;
}
