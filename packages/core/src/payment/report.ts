/** A provider's report about a payment, and the verdict of a reducer about the report. */
import type { DepositDeclineCause } from '@opencashier/contract/api';
import type { DepositState } from '../deposit/deposit-lifecycle.ts';
import { findCurrency } from '../money/currencies.ts';
import type { DepositFacts, Payment, ReviewReason } from './aggregate.ts';

/** A provider's report about a payment. Its signature is verified, but its content can still be wrong. */
export interface PaymentReport {
  readonly provider: string;
  readonly providerRef: string;
  /** `vanished`: the transfer that `pending` reported is no longer on its way, and nothing of it was credited. */
  readonly outcome: 'pending' | 'vanished' | 'paid' | 'declined' | 'expired' | 'cancelled' | 'reversed' | 'returned';
  /**
   * The paid amount in minor units; needed for `paid`. It differs from the asked amount when a payer pays too little.
   * With `pending`: the amount seen so far, for display only.
   */
  readonly paidMinor?: bigint;
  readonly currency?: string;
  /**
   * The amount that the cashier asked for, as the report repeats it, in minor units. It must agree with the deposit
   * before anything is booked.
   */
  readonly asked?: { readonly minor: bigint; readonly currency: string };
  /**
   * With `reversed` and `returned`: the provider's id of a partial refund or dispute of `paidMinor`. Absent: all that
   * was left.
   */
  readonly part?: string;
  /** Names a contradiction inside the report, in one word for logs and lists. Such a report books nothing. */
  readonly contradiction?: string;
  /**
   * Our id of a refund. With `reversed`: the refund by which the money leaves. With `returned`: the refund that did
   * not arrive. Absent when the provider took the money without us, such as by a dispute. A provider whose refunds
   * can bounce names the id in both.
   */
  readonly refundId?: string;
  /** With `declined`: a cause that the payer can fix; never a hint at fraud. */
  readonly cause?: DepositDeclineCause;
  /** Peer-to-peer: the provider's own status, such as PAYED, CANCELED or AUTO_CANCELED. */
  readonly remoteStatus?: string;
  /** Crypto: the transaction on the chain. */
  readonly chain?: ChainReport;
}

/** A transaction on a block chain. */
export interface ChainReport {
  readonly txid: string;
  /** A name of the table of chains, such as `Tron`. */
  readonly blockchain: string;
  readonly cryptoCurrency: string;
  /** 0: seen, but not in a block yet. */
  readonly confirmations: number;
  readonly requiredConfirmations: number;
}

/** One change, as data. The server applies all changes of a verdict in one transaction and in this order. */
export type Effect =
  | { readonly kind: 'move'; readonly to: DepositState; readonly reason?: string }
  /** The transfer that was seen has vanished. The deposit waits again. */
  | { readonly kind: 'forget-seen' }
  /** Money came. Creates a payment, credited at once or kept in suspense for staff. */
  | {
      readonly kind: 'receive';
      readonly origin: Payment['origin'];
      readonly part?: string;
      readonly asset: string;
      readonly amount: bigint;
      /** Absent: the payment is credited. */
      readonly reason?: ReviewReason;
    }
  /** The provider took money of a payment, from suspense or from the credited user. */
  | {
      readonly kind: 'charge-back';
      readonly payment: Payment;
      readonly amount: bigint;
      readonly part?: string;
      /** True: nothing of the payment is left, and none of it was paid out to its card. */
      readonly isAll: boolean;
    }
  /** The requested refund has left. */
  | { readonly kind: 'end-refund'; readonly refundId: string }
  /** The report confirms this refund, which is already booked. */
  | { readonly kind: 'confirm-refund'; readonly refundId: string }
  /** The money of a refund or a dispute came back. */
  | { readonly kind: 'bounce-refund'; readonly refundId: string }
  | { readonly kind: 'win-dispute'; readonly disputeId: string }
  /** Staff decided about the payment under review. */
  | { readonly kind: 'credit-reviewed'; readonly payment: Payment }
  | { readonly kind: 'refund-reviewed'; readonly payment: Payment };

/** The decision about a report. An empty list of effects: the report is a duplicate or older than our state. */
export type Verdict =
  | {
      readonly kind: 'effects';
      readonly effects: readonly Effect[];
      /** A contradiction, for the log and the metric that alerts staff. */
      readonly alert?: string;
    }
  /** No row fits the report now. The server keeps the report and tries it again. */
  | { readonly kind: 'unmatched'; readonly why: string };

/** A verdict that changes nothing: the report is a duplicate or older than our state. */
export const NO_CHANGE: Verdict = { kind: 'effects', effects: [] };

/** A verdict that applies effects in this order. */
export function effects(...list: readonly Effect[]): Verdict {
  return { kind: 'effects', effects: list };
}

/** A verdict that keeps the report as an unmatched event. */
export function unmatched(why: string): Verdict {
  return { kind: 'unmatched', why };
}

/** A verdict that changes nothing and alerts staff to a contradiction. */
export function contradiction(alert: string): Verdict {
  return { kind: 'effects', effects: [], alert };
}

/** An amount in minor units of a currency. */
export interface Money {
  readonly asset: string;
  readonly amount: bigint;
}

/**
 * The money of a report. A report in an unknown currency waits until the table of currencies has it, because its
 * decimals are unknown.
 */
export function moneyOf({ paidMinor, currency }: PaymentReport): Money | 'incomplete' | 'unknown-currency' {
  if (paidMinor === undefined || paidMinor <= 0n || currency === undefined) return 'incomplete';
  return findCurrency(currency) === undefined ? 'unknown-currency' : { asset: currency, amount: paidMinor };
}

/** Peer-to-peer statuses of an abandoned payment. */
const GIVEN_UP: ReadonlySet<string> = new Set(['CANCELED', 'AUTO_CANCELED']);

/**
 * How a report contradicts the deposit or itself; undefined: it does not. Such a report books nothing and waits for
 * staff, because either side can be wrong. Another paid amount or currency is no contradiction.
 */
export function contradictionOf(deposit: DepositFacts, report: PaymentReport): string | undefined {
  const { asked, chain, remoteStatus, outcome } = report;
  if (deposit.provider !== report.provider) return 'other-provider';
  if (report.contradiction !== undefined) return report.contradiction;
  if (asked !== undefined) {
    if (asked.currency !== deposit.currency) return 'asked-currency';
    // Reports of further transfers to an address repeat the amount that the first deposit asked for.
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
