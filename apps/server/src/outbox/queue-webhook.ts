/** Webhooks to operators are rows first, written in the transaction that moves the money (SRV-5). */
import type {
  ConfirmationWebhookData,
  DepositWebhookData,
  WebhookType,
  WithdrawalWebhookData,
} from '@opencashier/contract/operator';
import type { Transaction } from '../database/database.ts';

/** Data that must not lie readable in the database, and is of no use after a time. */
export interface SealedWebhookData {
  /** Joins `data` when it is sent; see `sealed-data`. */
  readonly sealed: Buffer;
  /** Not sent any more from then on. */
  readonly uselessAt: Date;
}

/**
 * Queues a webhook for an operator that has registered an address.
 * @param at when it happened, ISO 8601
 * @returns false when there is nobody to tell
 */
export async function queueWebhook(
  transaction: Transaction,
  webhook: {
    readonly operatorId: string;
    readonly type: WebhookType;
    readonly at: string;
    readonly data: DepositWebhookData | WithdrawalWebhookData | ConfirmationWebhookData;
    readonly secret?: SealedWebhookData;
  },
): Promise<boolean> {
  const queued = await transaction.query({
    name: 'webhook-queue',
    text: `insert into webhook_delivery (operator_id, type, deposit_id, withdrawal_id, body, sealed, useless_at)
      select id, $2, $3, $4, $5, $6, $7 from operator where id = $1 and webhook_url is not null returning 1`,
    values: [
      webhook.operatorId,
      webhook.type,
      'depositId' in webhook.data ? webhook.data.depositId : null,
      'withdrawalId' in webhook.data ? webhook.data.withdrawalId : null,
      JSON.stringify({ type: webhook.type, timestamp: webhook.at, data: webhook.data }),
      webhook.secret?.sealed ?? null,
      webhook.secret?.uselessAt ?? null,
    ],
  });
  return queued.length > 0;
}
