/**
 * The states of a payment, a refund and a dispute, and the allowed moves (SRV-3). The database enforces copies of
 * these tables, and a test compares them.
 */

/**
 * `in_review`: the money is in suspense, and staff decide. `refunded`, `charged_back`: nothing of the payment is
 * left.
 */
export type PaymentState = 'in_review' | 'credited' | 'refunded' | 'charged_back';
/**
 * `requested`: the provider may have received the request. `accepted`: the provider confirmed the request. `bounced`:
 * the money came back.
 */
export type RefundState = 'requested' | 'accepted' | 'succeeded' | 'declined' | 'bounced';
/** `won`: the money came back. A dispute stays `open` when the provider never reports an end. */
export type DisputeState = 'open' | 'won';

/** The states in which a row may begin, and the next states of each state. */
export interface Moves<State extends string> {
  readonly first: readonly State[];
  readonly next: Readonly<Record<State, readonly State[]>>;
}

export const PAYMENT_MOVES: Moves<PaymentState> = {
  first: ['in_review', 'credited'],
  next: {
    in_review: ['credited', 'refunded', 'charged_back'],
    credited: ['refunded', 'charged_back'],
    refunded: [],
    charged_back: [],
  },
};

export const REFUND_MOVES: Moves<RefundState> = {
  // Staff send suspended money back before they record the decision, so such a refund begins as `succeeded`.
  first: ['requested', 'succeeded'],
  next: {
    requested: ['accepted', 'succeeded', 'declined'],
    accepted: ['succeeded', 'declined'],
    succeeded: ['bounced'],
    declined: [],
    bounced: [],
  },
};

export const DISPUTE_MOVES: Moves<DisputeState> = { first: ['open'], next: { open: ['won'], won: [] } };
