/** What a provider reports about a payout, and what a reducer makes of it. */
import type { DeclineCause } from '@opencashier/contract/api';
import type { WithdrawalState } from '../withdrawal/withdrawal-lifecycle.ts';
import type { PayoutState } from './payout-lifecycle.ts';

/** What a provider says of a payout. A report is authentic when it comes here, which does not make it right. */
export interface PayoutReport {
  readonly provider: string;
  /** Absent only where a refusal names none. */
  readonly providerRef?: string;
  /** `returned`: the payout was paid, and the money came back, for example from a closed account. */
  readonly outcome: 'pending' | 'paid' | 'declined' | 'returned';
  /** What really arrived, in minor units; needed for `paid` and `returned`. */
  readonly paidMinor?: bigint;
  readonly currency?: string;
  /** With `declined` and `returned`: what the user can change; never what a risk check found, which would teach how to pass it. */
  readonly cause?: DeclineCause;
  /** With `declined` and `returned`: the provider's words for the user, in the user's language. */
  readonly message?: string;
}

/** What is to be done, as data. The server's runner does it, in one transaction and in this order. */
export type PayoutEffect =
  /** The payout enters a state; it begins with this where the withdrawal has none. */
  | { readonly kind: 'set-payout'; readonly to: PayoutState }
  /** Money that was paid came back: the user gets the whole amount, the operator returns its fee. */
  | { readonly kind: 'book-return' }
  /** The provider paid after the held amount went back to the user: what it paid goes into suspense. */
  | { readonly kind: 'book-late-payout' }
  /** Staff decided about a late payout: the user pays it back, or the operator bears it. */
  | { readonly kind: 'settle-late-payout'; readonly decision: LateDecision }
  /** The withdrawal moves; the held amount is posted or released as its new state says. */
  | {
      readonly kind: 'move';
      readonly to: WithdrawalState;
      /** A locale key for the user. */
      readonly reason?: string;
      /** True: what the provider said of the decline is kept for the user. */
      readonly isDecline?: boolean;
    };

export type LateDecision = 'charge' | 'bear';

/** Why nothing of ours fits a report. */
export type UnmatchedPayout = 'other-provider' | 'other-ref' | 'other-amount' | 'not-paid-yet' | 'forbidden';

/** An empty list of effects: known already, or an older fact. */
export type PayoutVerdict =
  | { readonly kind: 'effects'; readonly effects: readonly PayoutEffect[] }
  /** The report is kept as an unmatched event and tried again. */
  | { readonly kind: 'unmatched'; readonly why: UnmatchedPayout };
