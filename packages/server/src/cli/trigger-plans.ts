/** What `trigger` does in the sandbox for each type of webhook: only steps that a user, the staff or the provider can take. */

/** The last two digits of an amount make the sandbox end a payment in this way (docs/sandbox.md). */
export interface TriggerPlan {
  readonly payment: 'deposit' | 'withdrawal';
  readonly amount: string;
  /** What follows the payment. Absent: the sandbox alone brings it to its end. */
  readonly after?: 'refund' | 'cancel';
}

/** A withdrawal needs a balance, so a deposit of this amount comes first. */
export const funding = '25.05';

export const triggers = {
  'deposit.processed': { payment: 'deposit', amount: '25.05' },
  'deposit.declined': { payment: 'deposit', amount: '25.16' },
  'deposit.cancelled': { payment: 'deposit', amount: '25.00', after: 'cancel' },
  'deposit.expired': { payment: 'deposit', amount: '25.12' },
  'deposit.reversed': { payment: 'deposit', amount: '25.13' },
  'deposit.under_review': { payment: 'deposit', amount: '25.07' },
  'deposit.refunded': { payment: 'deposit', amount: '25.05', after: 'refund' },
  'withdrawal.held': { payment: 'withdrawal', amount: '20.05', after: 'cancel' },
  'withdrawal.submitted': { payment: 'withdrawal', amount: '20.05' },
  'withdrawal.processed': { payment: 'withdrawal', amount: '20.05' },
  'withdrawal.declined': { payment: 'withdrawal', amount: '20.10' },
  'withdrawal.cancelled': { payment: 'withdrawal', amount: '20.05', after: 'cancel' },
  'withdrawal.returned': { payment: 'withdrawal', amount: '20.13' },
} as const satisfies Readonly<Record<string, TriggerPlan>>;
export type TriggerType = keyof typeof triggers;

/** The method without `--method`, and what the user enters in its form. */
export const usualMethods = {
  deposit: { name: 'card', fields: {} },
  withdrawal: { name: 'card_withdrawal', fields: { cardNumber: '4242 4242 4242 4242' } },
} as const;
