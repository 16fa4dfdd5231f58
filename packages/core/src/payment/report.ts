/** What a provider reports, and what a reducer makes of it. */
import type { DepositDeclineCause } from '@opencashier/contract/api';
import type { DepositState } from '../deposit/deposit-lifecycle.ts';
import { findCurrency } from '../money/currencies.ts';
import type { DepositFacts, Payment, ReviewReason } from './aggregate.ts';

/** What a provider says of a payment. A report is authentic when it comes here, which does not make it right. */
export interface PaymentReport {
  readonly provider: string;
  readonly providerRef: string;
  /** `vanished`: what `pending` told of is not on its way any more, and nothing of it was credited. */
  readonly outcome: 'pending' | 'vanished' | 'paid' | 'declined' | 'expired' | 'cancelled' | 'reversed' | 'returned';
  /**
   * What was really paid, in minor units; needed for `paid`. Differs from the asked amount when a person under-pays. With
   * `pending`: what has been seen so far, for display alone.
   */
  readonly paidMinor?: bigint;
  readonly currency?: string;
  /**
   * What the provider was asked for, as its report says, in minor units of its currency: more than what was paid has to agree with
   * the deposit before anything is booked.
   */
  readonly asked?: { readonly minor: bigint; readonly currency: string };
  /**
   * With `reversed` and `returned`: only `paidMinor` of the payment went, by the refund or dispute of this id of the provider's. Absent:
   * all of it that was left.
   */
  readonly part?: string;
  /** What of the report disagrees with the rest of it, in a word for logs and lists: nothing is booked by such a report. */
  readonly contradiction?: string;
  /**
   * Our id of a refund. With `reversed`: the refund by which the money leaves. With `returned` (money that had left is at the provider
   * again, under a reference of its own): the refund that did not arrive; absent where the provider took the money without us, such as
   * a dispute that was won. A provider whose refunds can come back names it in both.
   */
  readonly refundId?: string;
  /** With `declined`: why, where the person can do something about the cause; never a hint at fraud. */
  readonly cause?: DepositDeclineCause;
  /** Peer-to-peer: the provider's own word, such as PAYED, CANCELED or AUTO_CANCELED. */
  readonly remoteStatus?: string;
  /** Crypto: what the chain shows of the payment. */
  readonly chain?: ChainReport;
}

export interface ChainReport {
  readonly txid: string;
  /** Such as `Tron`, as the table of chains names it. */
  readonly blockchain: string;
  readonly cryptoCurrency: string;
  /** 0: seen, in no block yet. */
  readonly confirmations: number;
  readonly requiredConfirmations: number;
}

/** What is to be done, as data. The server's runner does it, in one transaction and in this order. */
export type Effect =
  | { readonly kind: 'move'; readonly to: DepositState; readonly reason?: string }
  /** The payment that was seen is not on its way any more: the deposit waits again. */
  | { readonly kind: 'forget-seen' }
  /** Money came: a new payment, credited at once or kept in suspense for staff. */
  | {
      readonly kind: 'receive';
      readonly origin: Payment['origin'];
      readonly part?: string;
      readonly asset: string;
      readonly amount: bigint;
      /** Absent: it is credited. */
      readonly reason?: ReviewReason;
    }
  /** The provider took money of a payment: out of suspense, or from the user who was given it. */
  | {
      readonly kind: 'charge-back';
      readonly payment: Payment;
      readonly amount: bigint;
      readonly part?: string;
      /** All that was left of it. */
      readonly isAll: boolean;
    }
  /** The refund that was asked for has left. */
  | { readonly kind: 'end-refund'; readonly refundId: string }
  /** The report is of this refund, which is booked. */
  | { readonly kind: 'confirm-refund'; readonly refundId: string }
  /** The money of a refund, or of a dispute, came back. */
  | { readonly kind: 'bounce-refund'; readonly refundId: string }
  | { readonly kind: 'win-dispute'; readonly disputeId: string }
  /** Staff have decided about the payment under review. */
  | { readonly kind: 'credit-reviewed'; readonly payment: Payment }
  | { readonly kind: 'refund-reviewed'; readonly payment: Payment };

/** An empty list of effects: known already, or an older fact. */
export type Verdict =
  | {
      readonly kind: 'effects';
      readonly effects: readonly Effect[] /** A person should know. */;
      readonly alert?: string;
    }
  /** Nothing of ours fits the report now: it is kept and tried again. */
  | { readonly kind: 'unmatched'; readonly why: string };

export const KNOWN: Verdict = { kind: 'effects', effects: [] };

export function effects(...list: readonly Effect[]): Verdict {
  return { kind: 'effects', effects: list };
}

export function unmatched(why: string): Verdict {
  return { kind: 'unmatched', why };
}

/** Nothing is done, and a person should know of the contradiction. */
export function contradiction(alert: string): Verdict {
  return { kind: 'effects', effects: [], alert };
}

export interface Money {
  readonly asset: string;
  readonly amount: bigint;
}

/** Money of a currency without known decimals can be shown to nobody: its report waits until the currency is known. */
export function moneyOf({ paidMinor, currency }: PaymentReport): Money | 'incomplete' | 'unknown-currency' {
  if (paidMinor === undefined || paidMinor <= 0n || currency === undefined) return 'incomplete';
  return findCurrency(currency) === undefined ? 'unknown-currency' : { asset: currency, amount: paidMinor };
}

/** The provider's own words for a payment that was given up. */
const GIVEN_UP: ReadonlySet<string> = new Set(['CANCELED', 'AUTO_CANCELED']);

/**
 * What of a report disagrees with the deposit, or with the rest of the report. Nobody can tell which of the two is wrong: the report
 * waits for people, and nothing is booked by it. Another paid amount or currency is no contradiction but other money.
 */
export function contradictionOf(deposit: DepositFacts, report: PaymentReport): string | undefined {
  const { asked, chain, remoteStatus, outcome } = report;
  if (deposit.provider !== report.provider) return 'other-provider';
  if (report.contradiction !== undefined) return report.contradiction;
  if (asked !== undefined) {
    if (asked.currency !== deposit.currency) return 'asked-currency';
    // A further transfer to an address is reported with what the first deposit asked for.
    if (!deposit.isOpenAmount && asked.minor !== deposit.amount) return 'asked-amount';
  }
  if (outcome !== 'paid') return undefined;
  if (remoteStatus !== undefined && GIVEN_UP.has(remoteStatus)) return 'remote-status';
  return chain === undefined ? undefined : contradictionOfChain(deposit, chain);
}

function contradictionOfChain(deposit: DepositFacts, chain: NonNullable<PaymentReport['chain']>): string | undefined {
  if (chain.confirmations < chain.requiredConfirmations) return 'unconfirmed';
  const coin = deposit.request.providerOptions?.['coin'] ?? deposit.cryptoCurrency;
  if (coin !== null && coin !== chain.cryptoCurrency) return 'other-coin';
  return deposit.blockchain !== null && deposit.blockchain !== chain.blockchain ? 'other-chain' : undefined;
}
