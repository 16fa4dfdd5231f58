/** The signed webhooks to an operator's backend (SRV-5), by type. */

/**
 * Every type, and what the operator must do. New types may be added: acknowledge types that you do not know.
 * A retry has the same id as the first attempt, so that the operator can recognise a duplicate webhook.
 */
export const webhookTypes = {
  'deposit.processed': 'The deposit is credited. Add its amount, less `paidDebt`; with `box` add those coins instead.',
  'deposit.declined': 'The payment failed, or its money went back before it was credited. Add nothing.',
  'deposit.cancelled': 'The user cancelled the deposit. Add nothing.',
  'deposit.expired': 'The user did not pay in time. Add nothing.',
  'deposit.under_review': 'Money arrived that no rule can book. Staff decide in the reviews; add nothing until then.',
  'deposit.refunded': 'The payment was refunded to the user. Deduct the amount if you added it.',
  'deposit.refund_declined': 'A refund that you requested failed. The user keeps the amount.',
  'deposit.reversed':
    'The provider took back the payment or a part of it (chargeback, refund at the provider). Deduct the amount; a missing part is a debt.',
  'withdrawal.held': 'The amount is held and no longer available to the user.',
  'withdrawal.confirmation_requested': 'Send the user `code` by `channel`, and store it nowhere.',
  'withdrawal.awaiting_approval': 'Approve or decline the withdrawal before `expires`.',
  'withdrawal.submitted': 'The provider has accepted the payout.',
  'withdrawal.processed': 'The payout is paid.',
  'withdrawal.declined': 'The payout failed or was not approved. The amount is available again.',
  'withdrawal.cancelled': 'The user cancelled. The amount is available again.',
  'withdrawal.expired': 'Nobody confirmed or approved in time. The amount is available again.',
  'withdrawal.returned': 'A paid payout was returned. The amount is available again.',
  'withdrawal.under_review': 'A payout was paid after its hold was released. Staff decide in the reviews.',
  'withdrawal.settled': 'The review ended. Deduct `charged`.',
} as const;

export type WebhookType = keyof typeof webhookTypes;
