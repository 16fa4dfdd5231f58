import { coinFailpoints as ofCoins, expiryFailpoints as ofExpiry } from '../providers/coin-failpoints.ts';

/**
 * Named moments at which the process may die: before and after each durable step of a payment. The fault tests kill
 * the process at every one; `e2e/faults/failpoints.fault.test.ts` reads this list. In production no function is
 * passed in, and no setting can pass one. A failpoint then only checks for an absent function.
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
  'cancel-sent',
  'withdrawal-before-insert',
  'withdrawal-uncommitted',
  'withdrawal-held',
  'confirm-uncommitted',
  'withdrawal-confirmed',
  'withdrawal-answered',
  'withdrawal-applied',
  'withdrawal-freed',
  'settle-uncommitted',
  'withdrawal-cancel-uncommitted',
  'withdrawal-cancelled',
  'refund-begun',
  'refund-answered',
  'refund-booked',
  'deposit-expiry-uncommitted',
  'deposit-expired',
  'withdrawal-expiry-uncommitted',
  'withdrawal-expired',
  'review-uncommitted',
  'review-decided',
  'approval-uncommitted',
  'approval-decided',
  'pushes-claimed',
  'pushes-sent',
  'webhook-claimed',
  'webhook-sent',
  'webhook-recorded',
] as const;

/**
 * Moments of a payout. Those of `failpoints` that belong to one, with the moments that only a lost answer or a payout by refunds reaches.
 * `e2e/faults/payouts.fault.test.ts` kills at each.
 */
export const payoutFailpoints = [
  'withdrawal-before-insert',
  'withdrawal-uncommitted',
  'withdrawal-held',
  'confirm-uncommitted',
  'withdrawal-confirmed',
  'withdrawal-calling',
  'withdrawal-answered',
  'payout-refunds-declined',
  'withdrawal-applied',
  'withdrawal-freed',
  'withdrawal-inquired',
  'settle-uncommitted',
] as const;

/** Moments of a call to an operator's own wallet. The demo operator has none, so the fault tests make an operator that has one. */
export const walletFailpoints = ['wallet-claimed', 'wallet-answered', 'wallet-uncommitted', 'wallet-booked'] as const;

/** Moments of a payout of coins. An operator with a hot wallet passes them. */
export const coinFailpoints = ofCoins;

/** Further ones of coins whose transactions expire. */
export const expiryFailpoints = ofExpiry;

/** Moments of a deposit that goes on to another account of its route. Only an operator with a route reaches them. */
export const routeFailpoints = ['attempt-uncommitted', 'attempt-begun'] as const;
/** Moments of payouts that leave in files for a bank. An operator with such a bank account passes them. */
export const payoutFileFailpoints = [
  'payout-file-uncommitted',
  'payout-file-built',
  'payout-file-downloaded',
  'payout-file-handed',
  'bank-message-uncommitted',
  'bank-message-decided',
  'bank-message-steps-uncommitted',
  'bank-message-steps-applied',
  'bank-message-applied',
] as const;

/** The name of a failpoint. */
export type Failpoint =
  | (typeof failpoints)[number]
  | (typeof walletFailpoints)[number]
  | (typeof routeFailpoints)[number]
  | (typeof payoutFileFailpoints)[number]
  | (typeof payoutFailpoints)[number]
  | (typeof coinFailpoints)[number]
  | (typeof expiryFailpoints)[number];
