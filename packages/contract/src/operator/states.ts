/** The closed sets of words that operators read: the states of payments, and why staff must decide about money. */

/** The states of a deposit, more detailed than its status. Tests compare this list with the lifecycle. */
export const depositStates = [
  'created',
  'submitted_unknown',
  'awaiting_payment',
  'detected',
  'confirming',
  'declined',
  'cancelled',
  'expired',
  'late_paid',
  'credited',
  'refunded',
  'reversed',
] as const;

/** The states of a withdrawal, more detailed than its status. Tests compare this list with the lifecycle. */
export const withdrawalStates = [
  'checking',
  'held',
  'awaiting_approval',
  'submitted_unknown',
  'submitted',
  'declined',
  'cancelled',
  'expired',
  'refused',
  'late_paid',
  'paid',
  'late_settled',
  'late_returned',
  'returned',
] as const;

/** The states of both. */
export const paymentStates = [...new Set([...depositStates, ...withdrawalStates])] as [
  (typeof depositStates)[number] | (typeof withdrawalStates)[number],
];

/** Why staff must decide about money in suspense. */
export const reviewReasons = [
  'late',
  'underpaid',
  'below-minimum',
  'above-maximum',
  'overpaid',
  'wrong-currency',
  'second-payment',
  'unassigned',
  'returned',
] as const;

/** What a provider can report about a payment. `vanished`: a chain dropped a payment that had been seen. */
export const reportedOutcomes = [
  'pending',
  'vanished',
  'paid',
  'declined',
  'expired',
  'cancelled',
  'reversed',
  'returned',
] as const;
export type ReportedOutcome = (typeof reportedOutcomes)[number];
