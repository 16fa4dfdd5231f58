/** What an operator's backend is told by signed web-hooks (SRV-5), by type. */

/** Every type, and what the operator does about it. New types may be added: acknowledge those that you do not know. */
export const webhookTypes = {
  'deposit.processed': 'The deposit is credited. Add its amount, less `paidDebt`; with `box` add those coins instead.',
  'deposit.declined': 'The payment failed, or its money went back before it was credited. Add nothing.',
  'deposit.cancelled': 'The user cancelled the deposit. Add nothing.',
  'deposit.expired': 'The user did not pay in time. Add nothing.',
  'deposit.under_review': 'Money came that no rule can book. Decide in the reviews; add nothing until then.',
  'deposit.refunded': 'The payment went back to the user. Take the amount off, where you had added it.',
  'deposit.refund_declined': 'A refund that you asked for failed. The user keeps the amount.',
  'deposit.reversed':
    'The provider took the payment back, or a part of it (chargeback, refund at the provider). Take the amount off; what is missing is a debt.',
  'withdrawal.held': 'The amount has left what the user may spend.',
  'withdrawal.confirmation_requested': 'Send the user `code` by `channel`, and store it nowhere.',
  'withdrawal.awaiting_approval': 'Approve or decline the withdrawal before `expires`.',
  'withdrawal.submitted': 'The provider has the payout.',
  'withdrawal.processed': 'The payout is paid.',
  'withdrawal.declined': 'The payout failed or was not approved. The amount is back.',
  'withdrawal.cancelled': 'The user cancelled. The amount is back.',
  'withdrawal.expired': 'Nobody confirmed or approved in time. The amount is back.',
  'withdrawal.returned': 'A paid payout came back. The amount is back.',
  'withdrawal.under_review': 'A payout was paid after its amount was given back. Decide in the reviews.',
  'withdrawal.settled': 'The review ended. Take `charged` off.',
} as const;

export type WebhookType = keyof typeof webhookTypes;
