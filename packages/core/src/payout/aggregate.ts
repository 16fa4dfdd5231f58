/** A withdrawal with its payout: what the reducers of this folder decide by. */
import type { WithdrawalState } from '../withdrawal/withdrawal-lifecycle.ts';
import type { PayoutState } from './payout-lifecycle.ts';

/** What the user asked for, and how it stands. */
export interface WithdrawalFacts {
  readonly provider: string;
  readonly providerRef: string | null;
  readonly state: WithdrawalState;
  /** Minor units of `currency` that leave the balance; the fee is a part of the amount. */
  readonly amount: bigint;
  readonly fee: bigint;
  readonly currency: string;
  /** What arrives where that is another currency, in its minor units; null: the amount without the fee arrives. */
  readonly payoutCurrency: string | null;
  readonly payoutAmount: bigint | null;
}

/** One time that the provider sends money for a withdrawal. */
export interface Payout {
  readonly id: string;
  readonly state: PayoutState;
}

export interface WithdrawalAggregate {
  readonly withdrawal: WithdrawalFacts;
  /** How many of the operator's staff must approve before the provider gets it; also while the user has not confirmed. */
  readonly approvalsNeeded: number;
  /** Absent until the provider is asked to pay, or reports that it paid. */
  readonly payout?: Payout;
}

/** What arrives, in minor units of its own currency. */
export function arrivesOf(
  row: Pick<WithdrawalFacts, 'currency' | 'amount' | 'fee' | 'payoutCurrency' | 'payoutAmount'>,
): { readonly currency: string; readonly minor: bigint } {
  return row.payoutCurrency === null || row.payoutAmount === null
    ? { currency: row.currency, minor: row.amount - row.fee }
    : { currency: row.payoutCurrency, minor: row.payoutAmount };
}
