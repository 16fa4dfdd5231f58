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
import type { ChainEvidence, ProviderEvidence } from '../providers/provider.ts';
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
  | 'request'
  | 'blockchain'
  | 'cryptoCurrency'
  | 'txid'
  | 'box'
>;

export type Decision =
  /** Nothing to do: known already, or an older fact. `alert` where a person should know of the contradiction. */
  | { readonly kind: 'none'; readonly alert?: string }
  /** It cannot be acted on now; it is kept and tried again. */
  | { readonly kind: 'park'; readonly why: string }
  | { readonly kind: 'move'; readonly to: DepositState }
  /** The payment that was seen is gone: the deposit waits again. */
  | { readonly kind: 'forget' }
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
  /** Credited money was taken back: all that was left of it, and what had come back of it. */
  | { readonly kind: 'reverse' }
  /** So was a part of it; the rest stays with the user. */
  | { readonly kind: 'reverse-part'; readonly amount: bigint }
  /** Money that had come back was taken back once more. */
  | { readonly kind: 'reverse-returned' }
  /** Money in suspense was taken back. */
  | { readonly kind: 'unsuspend'; readonly to: DepositState }
  /** So was what lies in suspense beside the deposit's own payment. */
  | { readonly kind: 'unsuspend-beside' };

/** What the books say of the money that a report says is gone. */
export interface MoneyThatLeft {
  /** Of the credited money, what the user has by it: less what was taken back, and what people gave back. Undefined: nothing was taken. */
  readonly left?: bigint | undefined;
  /** Parts of it were taken or came back, so that a taking of the whole, or its return, may be of less than the whole. */
  readonly hasParts?: boolean;
  /** What had left, is there again, and waits in suspense for people. */
  readonly waiting?: bigint;
  /** Parts that had come back and that people have sent away since, as long as the provider has not reported that. */
  readonly sentAway?: readonly bigint[];
  /** Some of what had left is there again: in suspense, or with its user. */
  readonly isBack: boolean;
  /**
   * Its provider has not told yet of every time that it left by our books, so that this report is of one of them: of what people
   * had sent back, where it names no refund, which our own do wherever they can come back; or of any, where nothing is there.
   */
  readonly isReportDue: boolean;
  /** Whether the payment that the report names lies in suspense beside the deposit's own, or did; undefined: neither. */
  readonly beside?: 'there' | 'gone' | undefined;
}

/**
 * @param refund how the refund of ours stands that the report names; undefined: it names none
 * @param left with a `reversed` report
 */
export function decide(
  deposit: JudgedDeposit,
  evidence: ProviderEvidence,
  refund?: RefundState,
  left: MoneyThatLeft = { isBack: false, isReportDue: true },
): Decision {
  if (deposit.provider !== evidence.provider) return { kind: 'park', why: 'other-provider' };
  const contradiction = contradictionOf(deposit, evidence);
  if (contradiction !== undefined) return { kind: 'park', why: contradiction };
  if (evidence.outcome === 'returned') return onReturned(deposit, evidence, refund, left);
  if (deposit.providerRef !== null && deposit.providerRef !== evidence.providerRef) {
    return onOtherPayment(deposit, evidence, left);
  }
  switch (evidence.outcome) {
    case 'paid':
      return onPaid(deposit, evidence);
    case 'reversed':
      return evidence.part === undefined ? onReversed(deposit, refund, left) : onPartReversed(deposit, evidence, left);
    case 'pending':
      return onMove(deposit, stateOfPending(evidence));
    case 'vanished':
      return onVanished(deposit, evidence);
    case 'declined':
    case 'expired':
    case 'cancelled':
      return onMove(deposit, evidence.outcome);
  }
}

/** The provider's own words for a payment that was given up. */
const GIVEN_UP: ReadonlySet<string> = new Set(['CANCELED', 'AUTO_CANCELED']);

/**
 * What of a report disagrees with the deposit, or with the rest of the report. Which of two words is wrong nobody can tell: the report
 * waits for people, and nothing is booked by it. What was paid of another amount or currency is no contradiction but other money.
 */
function contradictionOf(deposit: JudgedDeposit, evidence: ProviderEvidence): string | undefined {
  const { asked, chain, remoteStatus, outcome } = evidence;
  if (evidence.contradiction !== undefined) return evidence.contradiction;
  if (asked !== undefined) {
    if (asked.currency !== deposit.currency) return 'asked-currency';
    // A further transfer to an address is told of with what the first deposit asked for.
    if (!deposit.isOpenAmount && asked.minor !== deposit.amount) return 'asked-amount';
  }
  if (outcome !== 'paid') return undefined;
  if (remoteStatus !== undefined && GIVEN_UP.has(remoteStatus)) return 'remote-status';
  return chain === undefined ? undefined : contradictionOfChain(deposit, chain);
}

function contradictionOfChain(deposit: JudgedDeposit, chain: ChainEvidence): string | undefined {
  if (chain.confirmations < chain.requiredConfirmations) return 'unconfirmed';
  const coin = deposit.request.providerOptions?.['coin'] ?? deposit.cryptoCurrency;
  if (coin !== null && coin !== chain.cryptoCurrency) return 'other-coin';
  return deposit.blockchain !== null && deposit.blockchain !== chain.blockchain ? 'other-chain' : undefined;
}

/** The provider holds a second payment under our deposit: its money is real, but it was not asked for. */
function onOtherPayment(deposit: JudgedDeposit, evidence: ProviderEvidence, left: MoneyThatLeft): Decision {
  if (evidence.outcome !== 'paid') return onOtherNews(deposit, evidence, left);
  const money = moneyOf(evidence);
  if (typeof money === 'string') return { kind: 'park', why: money };
  return { kind: 'suspend', to: deposit.state, review: deposit.review ?? 'second-payment', ...money };
}

/** More on its way to an address is no contradiction; what is taken back from it waits for the payment that it is of. */
function onOtherNews(
  { isOpenAmount }: JudgedDeposit,
  { outcome }: ProviderEvidence,
  { beside }: MoneyThatLeft,
): Decision {
  if (isOpenAmount && outcome === 'pending') return { kind: 'none' };
  if (outcome !== 'reversed') return { kind: 'none', alert: 'other-payment' };
  if (beside === undefined) return { kind: 'park', why: 'not-paid-yet' };
  return beside === 'there' ? { kind: 'unsuspend-beside' } : { kind: 'none' };
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

function onReversed(deposit: JudgedDeposit, refund: RefundState | undefined, left: MoneyThatLeft): Decision {
  if (hasLeft(deposit)) return onReversedAgain(refund, left);
  if (deposit.state === 'credited') return { kind: 'reverse' };
  if (deposit.state === 'late_paid') return { kind: 'unsuspend', to: 'refunded' };
  if (deposit.review !== null && deposit.paid !== null) return { kind: 'unsuspend', to: 'declined' };
  // Its payment has not been reported yet; it will be, as reports come in any order.
  return { kind: 'park', why: 'not-paid-yet' };
}

/** A part of a box is no box, and a part of what lies in suspense is for people: such reports wait. */
function onPartReversed(
  deposit: JudgedDeposit,
  evidence: ProviderEvidence,
  { left, sentAway = [] }: MoneyThatLeft,
): Decision {
  const money = moneyOf(evidence);
  if (typeof money === 'string') return { kind: 'park', why: money };
  // The report is of what people had sent back by hand: the books have it.
  if (money.asset === deposit.currency && sentAway.includes(money.amount)) return { kind: 'none' };
  // The reversal of the whole took it along, or it is of a sum that came back since: the report does not say which.
  if (hasLeft(deposit)) return { kind: 'park', why: 'reversed-before' };
  if (deposit.state !== 'credited' || deposit.paid === null) return { kind: 'park', why: 'not-credited' };
  if (deposit.box !== null) return { kind: 'park', why: 'part-of-a-box' };
  const rest = left ?? deposit.paid;
  if (money.asset !== deposit.currency || money.amount > rest) return { kind: 'park', why: 'more-than-was-left' };
  return money.amount === rest ? { kind: 'reverse' } : { kind: 'reverse-part', amount: money.amount };
}

/** A declined deposit that was paid lay in suspense, and people or its provider have sent it back. */
function hasLeft({ state, paid }: JudgedDeposit): boolean {
  return state === 'reversed' || state === 'refunded' || (state === 'declined' && paid !== null);
}

/**
 * Reports come in any order: of a refund that is booked, of what people had sent back already, of money that has come back, and of
 * money of which nobody has said yet that it is back. Each of them tells of another time that the money left.
 */
function onReversedAgain(refund: RefundState | undefined, { isBack, isReportDue }: MoneyThatLeft): Decision {
  if (refund === 'refunded') return { kind: 'none' };
  if (isReportDue) return { kind: 'none' };
  return isBack ? { kind: 'reverse-returned' } : { kind: 'park', why: 'not-returned-yet' };
}

/**
 * Money that had left is there again. What the books say has left decides, not the order of reports: a refund that has not ended is
 * ended by asking about it by its own id.
 */
function onReturned(
  deposit: JudgedDeposit,
  evidence: ProviderEvidence,
  refund: RefundState | undefined,
  left: MoneyThatLeft,
): Decision {
  const money = moneyOf(evidence);
  if (typeof money === 'string') return { kind: 'park', why: money };
  const review = deposit.review ?? 'returned';
  if (evidence.refundId !== undefined && refund !== undefined) {
    if (refund === 'declined') return { kind: 'none' };
    if (refund !== 'refunded') return { kind: 'park', why: 'refund-open' };
    return { kind: 'suspend', to: deposit.state, review, ...money };
  }
  const isPart = evidence.part !== undefined && money.asset === deposit.currency;
  if (hasLeft(deposit)) {
    // More than was ever credited would be there: what this is of has not been reported as gone yet, or is back in parts.
    const isBounded = isPart || (left.hasParts === true && money.asset === deposit.currency);
    if (isBounded && !isRoomFor(deposit, money.amount, left)) return { kind: 'park', why: 'more-than-had-left' };
    return { kind: 'suspend', to: deposit.state, review, ...money };
  }
  if (isPart && deposit.state === 'credited' && isRoomFor(deposit, money.amount, left))
    return { kind: 'suspend', to: deposit.state, review, ...money };
  return { kind: 'park', why: 'not-taken-back-yet' };
}

/** Whether so much of what was credited has been taken back and did not come back yet. */
function isRoomFor({ state, paid }: JudgedDeposit, amount: bigint, { left, waiting = 0n }: MoneyThatLeft): boolean {
  // Nothing was taken back of it: it went by a refund, or was never credited.
  if (left === undefined || paid === null) return state !== 'credited';
  return paid - left - waiting >= amount;
}

/** Only of the very payment that the deposit shows, and while nothing of it is booked. */
function onVanished({ state, review, paid, txid }: JudgedDeposit, { chain }: ProviderEvidence): Decision {
  const isOpen = state === 'detected' || state === 'confirming';
  const isShown = txid !== null && txid === chain?.txid;
  return isOpen && isShown && review === null && paid === null ? { kind: 'forget' } : { kind: 'none' };
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
