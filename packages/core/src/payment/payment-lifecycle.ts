/**
 * The states of a payment, a refund and a dispute, and the moves that are allowed (SRV-3). The database enforces copies of these tables,
 * and a test compares them.
 */

/** `in_review`: in suspense, staff decide; `refunded`, `charged_back`: nothing of it is left. */
export type PaymentState = 'in_review' | 'credited' | 'refunded' | 'charged_back';
/** `requested`: the provider may have it; `accepted`: it has; `bounced`: the money came back. */
export type RefundState = 'requested' | 'accepted' | 'succeeded' | 'declined' | 'bounced';
/** A provider that tells no end leaves it `open`; `won`: the money came back. */
export type DisputeState = 'open' | 'won';

/** Where one may begin, and where each state may lead. */
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
  // Staff who decide about money in suspense have sent it when they say so.
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
