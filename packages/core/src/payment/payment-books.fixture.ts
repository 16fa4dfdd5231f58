/**
 * A ledger in memory. Applies effects as the server does, without a database, and retries unmatched reports after
 * every change.
 */
import { depositRank } from '../deposit/deposit-lifecycle.ts';
import {
  type DepositAggregate,
  type DepositFacts,
  type Dispute,
  leftOf,
  type Payment,
  underReview,
} from './aggregate.ts';
import { DISPUTE_MOVES, PAYMENT_MOVES, REFUND_MOVES, type RefundState } from './payment-lifecycle.ts';
import { reduceReport } from './reduce-report.ts';
import { reduceReview } from './reduce-review.ts';
import type { Effect, PaymentReport, Verdict } from './report.ts';

export interface Books extends DepositAggregate {
  /** The balance of the user in minor units; below zero: a debt. */
  readonly user: bigint;
  readonly suspense: bigint;
  /** The amount that the provider holds for us. */
  readonly clearing: bigint;
  readonly credits: number;
}

export const openDeposit: DepositFacts = {
  userId: 'ann',
  provider: 'fake',
  providerRef: 'ref',
  currency: 'INR',
  amount: 500n,
  isOpenAmount: false,
  openMaximum: null,
  state: 'awaiting_payment',
  request: {},
  blockchain: null,
  cryptoCurrency: null,
  txid: null,
  box: null,
};

export function booksOf(deposit: Partial<DepositFacts> = {}): Books {
  return {
    deposit: { ...openDeposit, ...deposit },
    payments: [],
    refunds: [],
    disputes: [],
    paidOut: [],
    user: 0n,
    suspense: 0n,
    clearing: 0n,
    credits: 0,
  };
}

export function report(outcome: PaymentReport['outcome'], more: Partial<PaymentReport> = {}): PaymentReport {
  return {
    provider: 'fake',
    providerRef: 'ref',
    outcome,
    ...(outcome === 'paid' && { paidMinor: 500n, currency: 'INR' }),
    ...more,
  };
}

/**
 * Applies effects.
 * @throws Error for a move that is not allowed, and when more leaves a payment than came
 */
export function applyEffects(books: Books, effects: readonly Effect[], providerRef = ''): Books {
  let now = books;
  for (const effect of effects) now = step(now, effect, providerRef);
  const waiting = now.payments.find(({ state }) => state === 'in_review');
  if (waiting !== undefined && underReview(now) === undefined) {
    now = withPayment(now, waiting.id, { review: lastReview(now) + 1 });
  }
  for (const payment of now.payments) {
    const left = leftOf(now, payment);
    if (left < 0n) throw new Error(`More leaves payment ${payment.id} than came`);
    const isGone = payment.state === 'refunded' || payment.state === 'charged_back';
    const isAsked = now.refunds.some(({ state }) => state === 'requested' || state === 'accepted');
    const isPaidOut = now.paidOut.some(({ paymentId }) => paymentId === payment.id);
    if (isGone !== (left === 0n && !isAsked && !isPaidOut))
      throw new Error(`Payment ${payment.id} is ${payment.state} with ${left} left`);
  }
  return now;
}

function step(books: Books, effect: Effect, ref: string): Books {
  switch (effect.kind) {
    case 'move': {
      if (depositRank(effect.to) < depositRank(books.deposit.state))
        throw new Error('The rank of a deposit only rises');
      return { ...books, deposit: { ...books.deposit, state: effect.to } };
    }
    case 'forget-seen':
      return { ...books, deposit: { ...books.deposit, txid: null } };
    case 'receive':
      return receive(books, effect, ref);
    case 'charge-back':
      return chargeBack(books, effect);
    case 'end-refund': {
      const { paymentId = '', amount = 0n } = books.refunds.find(({ id }) => id === effect.refundId) ?? {};
      const ended = withRefund(books, effect.refundId, 'succeeded', true);
      return { ...withPayment(ended, paymentId, { state: 'refunded' }), clearing: books.clearing - amount };
    }
    case 'confirm-refund':
      return withRefund(books, effect.refundId, undefined, true);
    case 'bounce-refund':
      return withRefund(books, effect.refundId, 'bounced');
    case 'win-dispute':
      return {
        ...books,
        disputes: books.disputes.map((one) => {
          if (one.id !== effect.disputeId) return one;
          if (!DISPUTE_MOVES.next[one.state].includes('won')) throw new Error('A dispute is won once');
          return { ...one, state: 'won' };
        }),
      };
    case 'credit-reviewed':
      return {
        ...given(withPayment(books, effect.payment.id, { state: 'credited' }), effect.payment),
        suspense: books.suspense - effect.payment.amount,
      };
    case 'refund-reviewed':
      return refundReviewed(books, effect.payment);
  }
}

function receive(books: Books, effect: Extract<Effect, { kind: 'receive' }>, ref: string): Books {
  const { origin, asset, amount, part = null, reason = null } = effect;
  if (books.payments.some((payment) => payment.ref === ref)) throw new Error(`Payment ${ref} came before`);
  const isReviewed = reason !== null && (origin === 'deposit' || underReview(books) === undefined);
  const payment: Payment = {
    id: `payment ${books.payments.length + 1}`,
    ref,
    origin,
    part,
    state: reason === null ? 'credited' : 'in_review',
    asset,
    amount,
    reason,
    review: isReviewed ? lastReview(books) + 1 : null,
  };
  const before = isReviewed
    ? books.payments.map((one) => (one.state === 'in_review' ? { ...one, review: null } : one))
    : books.payments;
  const after = { ...books, payments: [...before, payment], clearing: books.clearing + amount };
  return reason === null ? given(after, payment) : { ...after, suspense: books.suspense + amount };
}

function given(books: Books, { amount, origin }: Payment): Books {
  return { ...books, user: books.user + amount, credits: books.credits + (origin === 'deposit' ? 1 : 0) };
}

function chargeBack(books: Books, { payment, amount, part, isAll }: Extract<Effect, { kind: 'charge-back' }>): Books {
  const dispute: Dispute = {
    id: `dispute ${books.disputes.length + 1}`,
    paymentId: payment.id,
    part: part ?? null,
    state: 'open',
    amount,
  };
  const taken = { ...books, disputes: [...books.disputes, dispute], clearing: books.clearing - amount };
  const after = isAll ? withPayment(taken, payment.id, { state: 'charged_back' }) : taken;
  return payment.state === 'in_review'
    ? { ...after, suspense: books.suspense - amount }
    : { ...after, user: books.user - amount };
}

function refundReviewed(books: Books, { id, amount }: Payment): Books {
  const refund = {
    id: `refund ${books.refunds.length + 1}`,
    paymentId: id,
    origin: 'review',
    state: 'succeeded',
    amount,
    isConfirmed: false,
  } as const;
  const sent = withPayment({ ...books, refunds: [...books.refunds, refund] }, id, { state: 'refunded' });
  return { ...sent, suspense: books.suspense - amount, clearing: books.clearing - amount };
}

/** The operator asks for a refund. The amount is held, so that the user cannot spend it. */
export function askRefund(books: Books, id: string): Books {
  const own = books.payments.find(({ origin }) => origin === 'deposit');
  if (own === undefined) throw new Error('The deposit has no payment');
  const refund = {
    id,
    paymentId: own.id,
    origin: 'operator',
    state: 'requested',
    amount: own.amount,
    isConfirmed: false,
  } as const;
  return { ...books, refunds: [...books.refunds, refund], user: books.user - own.amount };
}

function withPayment(books: Books, id: string, change: Partial<Pick<Payment, 'state' | 'review'>>): Books {
  const payments = books.payments.map((payment) => {
    if (payment.id !== id) return payment;
    if (change.state !== undefined && !PAYMENT_MOVES.next[payment.state].includes(change.state)) {
      throw new Error(`A payment does not go from ${payment.state} to ${change.state}`);
    }
    return { ...payment, ...change };
  });
  return { ...books, payments };
}

function withRefund(books: Books, id: string, to: RefundState | undefined, isConfirmed?: boolean): Books {
  const refunds = books.refunds.map((refund) => {
    if (refund.id !== id) return refund;
    if (to !== undefined && !REFUND_MOVES.next[refund.state].includes(to)) {
      throw new Error(`A refund does not go from ${refund.state} to ${to}`);
    }
    return { ...refund, ...(to !== undefined && { state: to }), ...(isConfirmed === true && { isConfirmed }) };
  });
  return { ...books, refunds };
}

function lastReview({ payments }: Books): number {
  return Math.max(0, ...payments.map(({ review }) => review ?? 0));
}

/** Staff decide about the payment under review. A refused decision changes nothing. */
export function decide(books: Books, decision: 'credit' | 'refund'): Books {
  const verdict = reduceReview(books, decision);
  return verdict.kind === 'refused' ? books : applyEffects(books, verdict.effects);
}

/** Applies one report. An unmatched report changes nothing. */
export function applyReport(books: Books, one: PaymentReport): { readonly books: Books; readonly verdict: Verdict } {
  const verdict = reduceReport(books, one);
  return {
    verdict,
    books: verdict.kind === 'unmatched' ? books : applyEffects(books, verdict.effects, one.providerRef),
  };
}

type Step = PaymentReport | 'credit' | 'refund';

/** Applies each report and decision once. Unmatched reports are tried again after every change of the books. */
export function play(
  steps: readonly Step[],
  start = booksOf(),
): { readonly books: Books; readonly waiting: readonly PaymentReport[] } {
  let books = start;
  let waiting: PaymentReport[] = [];
  for (const one of steps) {
    if (one === 'credit' || one === 'refund') books = decide(books, one);
    else waiting.push(one);
    let isChanged = true;
    while (isChanged) {
      isChanged = false;
      for (const unmatched of waiting) {
        const next = applyReport(books, unmatched);
        if (next.verdict.kind === 'unmatched') continue;
        books = next.books;
        waiting = waiting.filter((other) => other !== unmatched);
        isChanged = true;
        break;
      }
    }
  }
  return { books, waiting };
}
