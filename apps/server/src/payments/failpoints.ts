/**
 * Named moments at which a program may die: before and after each durable step of a payment. The fault tests kill the program at
 * every one of them (`e2e/faults/failpoints.fault.test.ts` is made from this list). Production hands in nothing to be called: no
 * setting and no environment variable does, so a failpoint there is the check of an absent function.
 */
export const failpoints = [
  'before-insert',
  'inserted',
  'provider-answered',
  'answer-stored',
  'callback-verified',
  'callback-stored',
  'callback-claimed',
  'credit-uncommitted',
  'callback-applied',
  'callback-finished',
  'deposit-inquired',
  'cancel-uncommitted',
  'cancel-committed',
  'cancel-told',
  'withdrawal-before-insert',
  'withdrawal-uncommitted',
  'withdrawal-held',
  'confirm-uncommitted',
  'withdrawal-confirmed',
  'withdrawal-answered',
  'withdrawal-applied',
  'withdrawal-told',
  'settle-uncommitted',
  'withdrawal-cancel-uncommitted',
  'withdrawal-cancelled',
  'refund-begun',
  'refund-answered',
  'refund-booked',
  'pushes-claimed',
  'pushes-sent',
  'webhook-claimed',
  'webhook-sent',
  'webhook-recorded',
] as const;

export type Failpoint = (typeof failpoints)[number];
