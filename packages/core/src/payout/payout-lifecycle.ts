/**
 * The states of a payout and the moves that are allowed (SRV-3). The database enforces a copy of this table, and a test compares them.
 */
import type { Moves } from '../payment/payment-lifecycle.ts';
import type { WithdrawalState } from '../withdrawal/withdrawal-lifecycle.ts';

/**
 * `requested`: the provider may have the payout; `accepted`: the provider has it; `paid`: the money left; `returned`: it came back;
 * `declined`: the provider sends nothing.
 */
export type PayoutState = 'requested' | 'accepted' | 'paid' | 'declined' | 'returned';

export const PAYOUT_MOVES: Moves<PayoutState> = {
  // A provider can report a payout that the cashier never requested: a person at the provider may have sent it.
  first: ['requested', 'accepted', 'paid', 'declined'],
  next: {
    requested: ['accepted', 'paid', 'declined'],
    accepted: ['paid', 'declined'],
    // Paid after all, although the held amount went back to the user: staff decide.
    declined: ['paid'],
    paid: ['returned'],
    returned: [],
  },
};

const PAYOUT_OF: Readonly<Record<WithdrawalState, PayoutState | undefined>> = {
  held: undefined,
  awaiting_approval: undefined,
  submitted_unknown: 'requested',
  submitted: 'accepted',
  declined: 'declined',
  cancelled: undefined,
  expired: undefined,
  late_paid: 'paid',
  paid: 'paid',
  late_settled: 'paid',
  returned: 'returned',
};

/**
 * The state of its payout while a withdrawal is in `state`. Undefined: it has none. A withdrawal that staff declined has none either,
 * because the provider never got it.
 */
export function payoutStateOf(state: WithdrawalState): PayoutState | undefined {
  return PAYOUT_OF[state];
}
