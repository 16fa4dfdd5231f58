/** What `trigger` does in the sandbox for each type of webhook: only steps that a user, the staff or the provider can take. */

/** The last two digits of an amount make the sandbox end a payment in this way (docs/sandbox.md). */
export interface TriggerPlan {
  readonly payment: 'deposit' | 'withdrawal';
  readonly amount: string;
  /**
   * What follows the payment. `credit` and `charge` are decisions of your staff about its review. `expire` needs the clock. Absent: the
   * sandbox alone brings it to its end.
   */
  readonly after?: 'refund' | 'cancel' | 'credit' | 'charge' | 'expire';
  /** What makes the withdrawal wait, and so makes the webhook. The withdrawal is ended when the webhook was followed. */
  readonly waitsFor?: 'code' | 'approval';
}

/** A withdrawal needs a balance, so a deposit of this amount comes first. */
export const funding = '25.05';

export const triggers = {
  'deposit.processed': { payment: 'deposit', amount: '25.05' },
  'deposit.declined': { payment: 'deposit', amount: '25.16' },
  'deposit.cancelled': { payment: 'deposit', amount: '25.00', after: 'cancel' },
  'deposit.expired': { payment: 'deposit', amount: '25.12' },
  'deposit.reversed': { payment: 'deposit', amount: '25.13' },
  'deposit.reinstated': { payment: 'deposit', amount: '25.31', after: 'credit' },
  'deposit.under_review': { payment: 'deposit', amount: '25.07' },
  'deposit.refunded': { payment: 'deposit', amount: '25.05', after: 'refund' },
  'deposit.refund_declined': { payment: 'deposit', amount: '25.29', after: 'refund' },
  'withdrawal.held': { payment: 'withdrawal', amount: '20.05', after: 'cancel' },
  'withdrawal.confirmation_requested': { payment: 'withdrawal', amount: '20.05', waitsFor: 'code' },
  'withdrawal.awaiting_approval': { payment: 'withdrawal', amount: '20.05', waitsFor: 'approval' },
  'withdrawal.submitted': { payment: 'withdrawal', amount: '20.05' },
  'withdrawal.processed': { payment: 'withdrawal', amount: '20.05' },
  'withdrawal.declined': { payment: 'withdrawal', amount: '20.10' },
  'withdrawal.cancelled': { payment: 'withdrawal', amount: '20.05', after: 'cancel' },
  'withdrawal.expired': { payment: 'withdrawal', amount: '20.05', after: 'expire' },
  'withdrawal.returned': { payment: 'withdrawal', amount: '20.13' },
  'withdrawal.under_review': { payment: 'withdrawal', amount: '20.12' },
  'withdrawal.settled': { payment: 'withdrawal', amount: '20.12', after: 'charge' },
} as const satisfies Readonly<Record<string, TriggerPlan>>;
export type TriggerType = keyof typeof triggers;

/** The method without `--method`, and what the user enters in its form. `code`: a withdrawal that needs a code. */
export const usualMethods = {
  deposit: { name: 'card', fields: {} },
  withdrawal: { name: 'card_withdrawal', fields: { cardNumber: '4242 4242 4242 4242' } },
  code: { name: 'paypal_withdrawal', fields: { email: 'trigger@example.com' } },
} as const;

/** An amount is held for 15 minutes before the user confirms. The minute more is for a slow machine. */
export const secondsToExpiry = 16 * 60;
