/** A deposit with its payments, refunds and disputes: the input of the reducers in this folder. */
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

/** The user id of a payment that names no user. A real user id has at least one character. */
export const NO_USER = '';

/** The user's request, and its state. */
export interface DepositFacts {
  readonly userId: string;
  readonly provider: string;
  readonly providerRef: string | null;
  readonly currency: string;
  /** Minor units. For an open amount: the least that is credited. */
  readonly amount: bigint;
  readonly isOpenAmount: boolean;
  /** For an open amount: the most that is credited, in minor units; null: no maximum. */
  readonly openMaximum: bigint | null;
  readonly state: DepositState;
  readonly request: { readonly providerOptions?: Readonly<Record<string, string>> };
  readonly blockchain: string | null;
  readonly cryptoCurrency: string | null;
  readonly txid: string | null;
  /** The coin box that the deposit buys; null: none. */
  readonly box: unknown;
}

/** One receipt of money from the payer. */
export interface Payment {
  readonly id: string;
  /** The provider's reference. */
  readonly ref: string;
  /**
   * `deposit`: the payment that the deposit asked for. `further`: more money for the same deposit. `returned`: money
   * of a refund or dispute that came back.
   */
  readonly origin: 'deposit' | 'further' | 'returned';
  /**
   * For a returned payment: the provider's id of the refund or dispute that ended; null: the whole payment came back.
   */
  readonly part: string | null;
  readonly state: PaymentState;
  readonly asset: string;
  readonly amount: bigint;
  readonly reason: ReviewReason | null;
  /** Number of its review. Null: no review, or the payment waits until another review has ended. */
  readonly review: number | null;
}

/** One transfer of money back to the payer. The operator or its staff decided it. */
export interface Refund {
  readonly id: string;
  readonly paymentId: string;
  /** `operator`: the cashier requested it from the provider. `review`: staff sent suspended money back. */
  readonly origin: 'operator' | 'review';
  readonly state: RefundState;
  readonly amount: bigint;
  /** True: the provider has reported this refund. */
  readonly isConfirmed: boolean;
}

/** One withdrawal of money by the provider: a chargeback, a failed debit, or a refund made at the provider. */
export interface Dispute {
  readonly id: string;
  readonly paymentId: string;
  /** The provider's id of the refund or dispute; null: the provider took all that was left. */
  readonly part: string | null;
  readonly state: DisputeState;
  readonly amount: bigint;
}

/** A part of a payment that a payout sends back to its card, or has sent. */
export interface PaidOut {
  readonly paymentId: string;
  readonly amount: bigint;
}

/** A deposit with all rows about its money. Each list is in the order of creation. */
export interface DepositAggregate {
  readonly deposit: DepositFacts;
  readonly payments: readonly Payment[];
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
  /** Without payouts whose hold went back to the user, and without those whose money came back. */
  readonly paidOut: readonly PaidOut[];
}

/**
 * The rest of a payment, in minor units. Refunds reduce the rest, except declined ones. Disputes and payouts to the card reduce the
 * rest too. The database has the same rule (`rest_of_payment`).
 */
export function leftOf(
  { refunds, disputes, paidOut }: Pick<DepositAggregate, 'refunds' | 'disputes' | 'paidOut'>,
  payment: Payment,
): bigint {
  let left = payment.amount;
  for (const { paymentId, state, amount } of refunds) {
    if (paymentId === payment.id && state !== 'declined') left -= amount;
  }
  for (const { paymentId, amount } of [...disputes, ...paidOut]) if (paymentId === payment.id) left -= amount;
  return left;
}

/** The payment that the deposit asked for; undefined: not paid yet. */
export function ownPayment({ payments }: Pick<DepositAggregate, 'payments'>): Payment | undefined {
  return payments.find(({ origin }) => origin === 'deposit');
}

/** The payment that staff review now. A deposit has one review at a time. */
export function underReview({ payments }: Pick<DepositAggregate, 'payments'>): Payment | undefined {
  return payments.find(({ state, review }) => state === 'in_review' && review !== null);
}

/** True when nothing of the payment is left. */
export function isGone({ state }: Payment): boolean {
  return state === 'refunded' || state === 'charged_back';
}
