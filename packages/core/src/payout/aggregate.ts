/** A withdrawal with its payout: the input of the reducers in this folder. */
import type { WithdrawalState } from '../withdrawal/withdrawal-lifecycle.ts';
import type { PayoutState } from './payout-lifecycle.ts';

/** The user's request, and its state. */
export interface WithdrawalFacts {
  readonly provider: string;
  readonly providerRef: string | null;
  readonly state: WithdrawalState;
  /** Minor units of `currency` that leave the balance; the fee is a part of the amount. */
  readonly amount: bigint;
  readonly fee: bigint;
  readonly currency: string;
  /** What arrives in another currency, in its minor units. Null: the amount less the fee arrives, in `currency`. */
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
  /**
   * How many staff of the operator must approve before the provider gets the request. Also set while the user has not
   * confirmed.
   */
  readonly approvalsNeeded: number;
  /** Absent until the provider is asked to pay, or reports that it paid. */
  readonly payout?: Payout;
}

/** The amount that the user receives, in minor units of its own currency (WD-2). */
export function arrivesOf(
  row: Pick<WithdrawalFacts, 'currency' | 'amount' | 'fee' | 'payoutCurrency' | 'payoutAmount'>,
): { readonly currency: string; readonly minor: bigint } {
  return row.payoutCurrency === null || row.payoutAmount === null
    ? { currency: row.currency, minor: row.amount - row.fee }
    : { currency: row.payoutCurrency, minor: row.payoutAmount };
}
