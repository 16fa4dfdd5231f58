/** A deposit with everything that happened to its money: what the reducers of this folder decide by. */
import type { DepositState } from '../deposit/deposit-lifecycle.ts';
import type { DisputeState, PaymentState, RefundState } from './payment-lifecycle.ts';

/** Why staff have to decide about money in suspense. */
export type ReviewReason =
  | 'late'
  | 'underpaid'
  | 'below-minimum'
  | 'above-maximum'
  | 'overpaid'
  | 'wrong-currency'
  | 'second-payment'
  | 'unassigned'
  | 'returned';

/** The user of money that names no user: a user's id has at least one character. */
export const NOBODY = '';

/** What a deposit was opened for, and how it stands. */
export interface DepositFacts {
  readonly userId: string;
  readonly provider: string;
  readonly providerRef: string | null;
  readonly currency: string;
  /** Minor units; of an open amount the least that is credited. */
  readonly amount: bigint;
  readonly isOpenAmount: boolean;
  /** The most that is credited of an open amount; null: no bound. */
  readonly openMost: bigint | null;
  readonly state: DepositState;
  readonly request: { readonly providerOptions?: Readonly<Record<string, string>> };
  readonly blockchain: string | null;
  readonly cryptoCurrency: string | null;
  readonly txid: string | null;
  /** The coin box that it buys. */
  readonly box: unknown;
}

/** One time that money came. */
export interface Payment {
  readonly id: string;
  /** The provider's reference. */
  readonly ref: string;
  /** `deposit`: what it was opened for; `further`: more money for it; `returned`: money that had left and came back. */
  readonly origin: 'deposit' | 'further' | 'returned';
  /** Of a returned payment: the provider's id of the refund or dispute that ended; null: the whole payment came back. */
  readonly part: string | null;
  readonly state: PaymentState;
  readonly asset: string;
  readonly amount: bigint;
  readonly reason: ReviewReason | null;
  /** Number of its review; null: none, or it waits until another review has ended. */
  readonly review: number | null;
}

/** One time that money goes back to the payer because the operator or its staff want it. */
export interface Refund {
  readonly id: string;
  readonly paymentId: string;
  /** `operator`: asked of the provider; `review`: staff sent suspended money back. */
  readonly origin: 'operator' | 'review';
  readonly state: RefundState;
  readonly amount: bigint;
  /** The provider has reported this refund. */
  readonly isConfirmed: boolean;
}

/** One time that the provider took money back: a chargeback, a failed debit, a refund made at the provider. */
export interface Dispute {
  readonly id: string;
  readonly paymentId: string;
  /** The provider's id of the refund or dispute; null: the provider took all that was left. */
  readonly part: string | null;
  readonly state: DisputeState;
  readonly amount: bigint;
}

/** Lists are in the order in which their rows came. */
export interface DepositAggregate {
  readonly deposit: DepositFacts;
  readonly payments: readonly Payment[];
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
}

/** The one sum: what of a payment has neither been sent back nor taken back. */
export function leftOf(
  { refunds, disputes }: Pick<DepositAggregate, 'refunds' | 'disputes'>,
  payment: Payment,
): bigint {
  let left = payment.amount;
  for (const { paymentId, state, amount } of refunds) {
    if (paymentId === payment.id && state !== 'declined') left -= amount;
  }
  for (const { paymentId, amount } of disputes) if (paymentId === payment.id) left -= amount;
  return left;
}

/** The payment that the deposit was opened for. */
export function ownPayment({ payments }: Pick<DepositAggregate, 'payments'>): Payment | undefined {
  return payments.find(({ origin }) => origin === 'deposit');
}

/** The payment that staff are asked about now; one at a time. */
export function underReview({ payments }: Pick<DepositAggregate, 'payments'>): Payment | undefined {
  return payments.find(({ state, review }) => state === 'in_review' && review !== null);
}

/** Nothing of it is left. */
export function isGone({ state }: Payment): boolean {
  return state === 'refunded' || state === 'charged_back';
}
