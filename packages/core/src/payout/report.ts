/** A provider's report about a payout, and the verdict of a reducer about the report. */
import type { DeclineCause } from '@opencashier/contract/api';
import type { WithdrawalState } from '../withdrawal/withdrawal-lifecycle.ts';
import type { PayoutState } from './payout-lifecycle.ts';

/** A provider's report about a payout. Its signature is verified, but its content can still be wrong. */
export interface PayoutReport {
  readonly provider: string;
  /** Absent only when the provider refused the request without a reference. */
  readonly providerRef?: string;
  /** `returned`: the payout was paid, and the money came back, for example from a closed account. */
  readonly outcome: 'pending' | 'paid' | 'declined' | 'returned';
  /** The amount that the provider sent or got back, in minor units; needed for `paid` and `returned`. */
  readonly paidMinor?: bigint;
  readonly currency?: string;
  /**
   * With `declined` and `returned`: a cause that the user can fix. Never the result of a risk check, which would
   * teach users to pass the check.
   */
  readonly cause?: DeclineCause;
  /** With `declined` and `returned`: the provider's message to the user, in the user's language. */
  readonly message?: string;
}

/** One change, as data. The server applies all changes of a verdict in one transaction and in this order. */
export type PayoutEffect =
  /** The payout enters a state. Creates the payout when the withdrawal has none. */
  | { readonly kind: 'set-payout'; readonly to: PayoutState }
  /** Paid money came back. The user gets the whole amount, and the operator gives back its fee. */
  | { readonly kind: 'book-return' }
  /** The provider paid after the held amount went back to the user. The paid amount goes into suspense. */
  | { readonly kind: 'book-late-payout' }
  /** A late payout came back before staff decided: the amount leaves suspense again. */
  | { readonly kind: 'book-late-return' }
  /** Staff decided about a late payout: the user pays the amount back, or the operator bears the loss. */
  | { readonly kind: 'settle-late-payout'; readonly decision: LateDecision }
  /** The withdrawal moves. The new state decides whether the hold is posted, released or kept. */
  | {
      readonly kind: 'move';
      readonly to: WithdrawalState;
      /** A locale key for the user. */
      readonly reason?: string;
      /** True: the provider's cause and message are stored for the user. */
      readonly isDecline?: boolean;
    };

/** How staff settle a late payout: `charge` the user's account, or `bear` the loss. */
export type LateDecision = 'charge' | 'bear';

/** Why a report is unmatched. */
export type UnmatchedPayout =
  | 'other-provider'
  | 'other-ref'
  | 'other-amount'
  | 'not-paid-yet'
  | 'returned-after-settlement'
  | 'forbidden';

/** The decision about a report. An empty list of effects: the report is a duplicate or older than our state. */
export type PayoutVerdict =
  | { readonly kind: 'effects'; readonly effects: readonly PayoutEffect[] }
  /** The server keeps the report as an unmatched event and tries it again. */
  | { readonly kind: 'unmatched'; readonly why: UnmatchedPayout };
