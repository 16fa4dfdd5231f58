/**
 * The states of a payout and the allowed moves (SRV-3). The database enforces a copy of this table, and a test
 * compares them.
 */
import type { Moves } from '../payment/payment-lifecycle.ts';
import type { WithdrawalState } from '../withdrawal/withdrawal-lifecycle.ts';

/**
 * `requested`: the provider may have received the request. `accepted`: the provider confirmed the request. `paid`:
 * the money left. `returned`: the money came back. `declined`: the provider sends nothing.
 */
export type PayoutState = 'requested' | 'accepted' | 'paid' | 'declined' | 'returned';

export const PAYOUT_MOVES: Moves<PayoutState> = {
  // A provider can report a payout that the cashier never requested. Staff of the provider may have sent it.
  first: ['requested', 'accepted', 'paid', 'declined'],
  next: {
    requested: ['accepted', 'paid', 'declined'],
    accepted: ['paid', 'declined'],
    // The provider paid although the held amount went back to the user. Staff decide.
    declined: ['paid'],
    paid: ['returned'],
    returned: [],
  },
};

const PAYOUT_OF: Readonly<Record<WithdrawalState, PayoutState | undefined>> = {
  checking: undefined,
  held: undefined,
  awaiting_approval: undefined,
  submitted_unknown: 'requested',
  submitted: 'accepted',
  declined: 'declined',
  cancelled: undefined,
  expired: undefined,
  refused: undefined,
  late_paid: 'paid',
  paid: 'paid',
  late_settled: 'paid',
  late_returned: 'returned',
  returned: 'returned',
};

/**
 * The state of the payout while its withdrawal is in `state`; undefined: the withdrawal has no payout. A `declined`
 * withdrawal may have no payout either: staff declined before the request went to the provider.
 */
export function payoutStateOf(state: WithdrawalState): PayoutState | undefined {
  return PAYOUT_OF[state];
}
