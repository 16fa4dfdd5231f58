/** Web-hooks to operators are rows first, written in the transaction that moves the money (SRV-5). */
import type { BoughtBox, Payout, WebhookType } from '@opencashier/contract/api';
import type { Transaction } from '../database/database.ts';

export interface DepositWebhookData {
  readonly depositId: string;
  readonly userId: string;
  /** A decimal string of `currency`: what the ledger moved where it did, else what was asked. */
  readonly amount: string;
  readonly currency: string;
  readonly paymentMethod: string;
  /** waiting, accepted, processed or mistaked (§4). */
  readonly status: string;
  /** The coin box that it buys (SWP-1). */
  readonly box?: BoughtBox;
  /** On `deposit.processed`: what of the amount paid a debt, where the operator has deposits do that. */
  readonly paidDebt?: string;
  /** On `deposit.refund_declined`: the operator's key of the refund. */
  readonly refundId?: string;
  /** On `deposit.under_review`: by which name people decide, and why they have to. */
  readonly reviewId?: string;
  readonly reason?: string;
}

export interface WithdrawalWebhookData {
  readonly withdrawalId: string;
  readonly userId: string;
  /** main or additional: the account that it leaves from, and comes back to. */
  readonly accountType: string;
  /** Decimal strings of `currency`: what leaves the balance, and its two parts. */
  readonly amount: string;
  readonly fee: string;
  readonly receives: string;
  /** What arrives where that is of another currency, as of redeemed coins (SWP-2). */
  readonly payout?: Payout;
  readonly currency: string;
  readonly paymentMethod: string;
  /** waiting, accepted, processed or mistaked (§4). */
  readonly status: string;
  /** On `withdrawal.under_review`: by which name people decide. */
  readonly reviewId?: string;
  /** On `withdrawal.awaiting_approval`: how many people must approve, why (amount or day), and until when (ISO 8601). */
  readonly approvalsNeeded?: number;
  readonly because?: string;
  readonly expires?: string;
  /** On `withdrawal.settled`: what was taken from the user's account for a payout that came late. */
  readonly charged?: string;
}

/** `withdrawal.confirmation_requested`: the operator lets its user know the code, which travels sealed until then. */
export interface ConfirmationWebhookData extends WithdrawalWebhookData {
  readonly channel: string;
  /** ISO 8601: until when the code can be given. */
  readonly expires: string;
}

/** Data that must not lie readable in the database, and is of no use after a time. */
export interface SealedWebhookData {
  /** Joins `data` when it is sent; see `sealed-data`. */
  readonly sealed: Buffer;
  /** Not sent any more from then on. */
  readonly uselessAt: Date;
}

/**
 * Queues a web-hook for an operator that has registered an address.
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
