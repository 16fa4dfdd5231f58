/**
 * What a provider's report means for a deposit. Pure, so that every order of reports can be tried; `apply` carries it out
 * under the row's lock. A report is authentic when it comes here, which does not make it right: amount, currency, provider and
 * payment are compared with our own row.
 */
import {
  type DepositState,
  depositStateOnPayment,
  judgeDepositMove,
} from '@opencashier/core/deposit/deposit-lifecycle';
import { findCurrency } from '@opencashier/core/money/currencies';
import type { ProviderEvidence } from '../providers/provider.ts';
import type { DepositRow, ReviewReason } from './deposit-row.ts';
import type { RefundState } from './refund-store.ts';
import { NOBODY } from './unassigned-money.ts';

/** What of a deposit the decision rests on. */
export type JudgedDeposit = Pick<
  DepositRow,
  | 'userId'
  | 'provider'
  | 'providerRef'
  | 'currency'
  | 'amount'
  | 'isOpenAmount'
  | 'openMost'
  | 'state'
  | 'review'
  | 'paid'
>;

export type Decision =
  /** Nothing to do: known already, or an older fact. `alert` where a person should know of the contradiction. */
  | { readonly kind: 'none'; readonly alert?: string }
  /** It cannot be acted on now; it is kept and tried again. */
  | { readonly kind: 'park'; readonly why: string }
  | { readonly kind: 'move'; readonly to: DepositState }
  /** The asked amount was paid, or of an open one at least that: what was paid goes to the user's balance. */
  | { readonly kind: 'credit'; readonly amount: bigint }
  /** Money came that may not be credited by itself: to suspense, for people. */
  | {
      readonly kind: 'suspend';
      readonly to: DepositState;
      readonly review: ReviewReason;
      readonly amount: bigint;
      readonly asset: string;
    }
  /** Credited money was taken back. */
  | { readonly kind: 'reverse' }
  /** Money in suspense was taken back. */
  | { readonly kind: 'unsuspend'; readonly to: DepositState };

/**
 * @param refund how the refund stands that a `returned` report names; undefined: there is none of ours
 * @param hasReturned whether money that had left is booked as being there again
 */
export function decide(
  deposit: JudgedDeposit,
  evidence: ProviderEvidence,
  refund?: RefundState,
  hasReturned = false,
): Decision {
  if (deposit.provider !== evidence.provider) return { kind: 'park', why: 'other-provider' };
  if (evidence.outcome === 'returned') return onReturned(deposit, evidence, refund);
  if (deposit.providerRef !== null && deposit.providerRef !== evidence.providerRef) {
    return onOtherPayment(deposit, evidence);
  }
  switch (evidence.outcome) {
    case 'paid':
      return onPaid(deposit, evidence);
    case 'reversed':
      return onReversed(deposit, hasReturned);
    case 'pending':
      return onMove(deposit, stateOfPending(evidence));
    case 'declined':
    case 'expired':
    case 'cancelled':
      return onMove(deposit, evidence.outcome);
  }
}

/** The provider holds a second payment under our deposit: its money is real, but it was not asked for. */
function onOtherPayment(deposit: JudgedDeposit, evidence: ProviderEvidence): Decision {
  if (evidence.outcome !== 'paid') return onOtherNews(deposit, evidence);
  const money = moneyOf(evidence);
  if (typeof money === 'string') return { kind: 'park', why: money };
  return { kind: 'suspend', to: deposit.state, review: deposit.review ?? 'second-payment', ...money };
}

/** More on its way to an address is no contradiction; what is taken back from it waits for the payment that it is of. */
function onOtherNews({ isOpenAmount }: JudgedDeposit, { outcome }: ProviderEvidence): Decision {
  if (isOpenAmount && outcome === 'pending') return { kind: 'none' };
  if (isOpenAmount && outcome === 'reversed') return { kind: 'park', why: 'not-paid-yet' };
  return { kind: 'none', alert: 'other-payment' };
}

function onPaid(deposit: JudgedDeposit, evidence: ProviderEvidence): Decision {
  const money = moneyOf(evidence);
  if (typeof money === 'string') return { kind: 'park', why: money };
  if (isAccountedFor(deposit)) {
    const isSame =
      deposit.paid === money.amount && (deposit.review === 'wrong-currency' || deposit.currency === money.asset);
    return isSame ? { kind: 'none' } : { kind: 'none', alert: 'paid-amount-changed' };
  }
  const isWrong = money.asset !== deposit.currency;
  const to = depositStateOnPayment(deposit.state);
  if (to === 'late_paid') {
    const review = deposit.userId === NOBODY ? 'unassigned' : isWrong ? 'wrong-currency' : 'late';
    return { kind: 'suspend', to, review, ...money };
  }
  const review = isWrong ? 'wrong-currency' : reviewOfAmount(deposit, money.amount);
  if (review === undefined) return { kind: 'credit', amount: money.amount };
  const held = judgeDepositMove(deposit.state, 'detected') === 'move' ? 'detected' : deposit.state;
  return { kind: 'suspend', to: held, review, ...money };
}

function onReversed(deposit: JudgedDeposit, hasReturned: boolean): Decision {
  if (deposit.state === 'refunded' || deposit.state === 'reversed') {
    // Its own journal is booked for ever; what came back and is gone again has an owner by now, or will have: people see to it.
    return hasReturned ? { kind: 'none', alert: 'taken-back-again' } : { kind: 'none' };
  }
  if (deposit.state === 'credited') return { kind: 'reverse' };
  if (deposit.state === 'late_paid') return { kind: 'unsuspend', to: 'refunded' };
  if (deposit.review !== null && deposit.paid !== null) return { kind: 'unsuspend', to: 'declined' };
  // People have sent it back already, or the provider has told of it before.
  if (deposit.paid !== null) return { kind: 'none' };
  // Its payment has not been reported yet; it will be, as reports come in any order.
  return { kind: 'park', why: 'not-paid-yet' };
}

/**
 * Money that had left is there again. What the books say has left decides, not the order of reports: a refund that has not ended is
 * ended by asking about it by its own id.
 */
function onReturned(deposit: JudgedDeposit, evidence: ProviderEvidence, refund: RefundState | undefined): Decision {
  const money = moneyOf(evidence);
  if (typeof money === 'string') return { kind: 'park', why: money };
  const review = deposit.review ?? 'returned';
  if (evidence.refundId !== undefined && refund !== undefined) {
    if (refund === 'declined') return { kind: 'none' };
    if (refund !== 'refunded') return { kind: 'park', why: 'refund-open' };
    return { kind: 'suspend', to: deposit.state, review, ...money };
  }
  if (deposit.state === 'reversed') return { kind: 'suspend', to: deposit.state, review, ...money };
  return deposit.state === 'credited'
    ? { kind: 'park', why: 'not-taken-back-yet' }
    : { kind: 'none', alert: 'returned' };
}

function onMove(deposit: JudgedDeposit, to: DepositState): Decision {
  // Money lies in suspense: only people, or the provider taking it back, end that.
  if (deposit.review !== null) return { kind: 'none', alert: 'in-review' };
  const verdict = judgeDepositMove(deposit.state, to);
  return verdict === 'move' ? { kind: 'move', to } : { kind: 'none' };
}

/** Money that was seen and may not be credited yet: nobody cancels or expires it any more. */
function stateOfPending({ chain, remoteStatus }: ProviderEvidence): DepositState {
  if (chain !== undefined) return chain.confirmations === 0 ? 'detected' : 'confirming';
  return remoteStatus === 'PAYED' ? 'detected' : 'awaiting_payment';
}

function isAccountedFor(deposit: JudgedDeposit): boolean {
  return deposit.paid !== null || depositStateOnPayment(deposit.state) === undefined;
}

/**
 * Of an open amount the asked one is the least that is credited, and the method's maximum the most, so that a provider's slip
 * of some zeros pays out to nobody; of any other amount the asked one is the only one (CRY-1).
 */
function reviewOfAmount(deposit: JudgedDeposit, paid: bigint): ReviewReason | undefined {
  const { amount: asked, isOpenAmount, openMost } = deposit;
  if (isOpenAmount) {
    if (paid < asked) return 'below-minimum';
    return openMost !== null && paid > openMost ? 'above-maximum' : undefined;
  }
  if (paid === asked) return undefined;
  return paid < asked ? 'underpaid' : 'overpaid';
}

/** Money of a currency without known decimals is no amount that anybody could be shown: it waits with its report until it is known. */
function moneyOf({
  paidMinor,
  currency,
}: ProviderEvidence): { amount: bigint; asset: string } | 'incomplete' | 'unknown-currency' {
  if (paidMinor === undefined || paidMinor <= 0n || currency === undefined) return 'incomplete';
  return findCurrency(currency) === undefined ? 'unknown-currency' : { amount: paidMinor, asset: currency };
}
