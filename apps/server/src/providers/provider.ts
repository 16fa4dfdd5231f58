/**
 * What a payment provider is to the cashier (SRV-4). A provider lives in a folder of its own; nothing outside it knows its
 * wire format, and it never touches the ledger: it only says what it saw, as {@link ProviderEvidence}.
 */
import type { DepositData, DepositDeclineCause, RedirectForm } from '@opencashier/contract/api';
import type { PaymentReport } from '@opencashier/core/payment/report';
import type { WithdrawalProvider } from './withdrawal-provider.ts';

/**
 * Contradictions of a report that is of test money while the provider's key is for real money, or the other way round. Nothing of such
 * a report is ever booked.
 */
export const MODE_REPORTS = ['test-mode-report', 'live-mode-report'] as const;

/** A deposit as a provider needs to know it. */
export interface ProviderDeposit {
  /** Our own id, which is also the idempotency key towards the provider. */
  readonly depositId: string;
  /** Whose the deposit is: sent along where the provider gives back what it is sent, so that its reports name the operator. */
  readonly operatorId: string;
  readonly paymentMethod: string;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly country: string;
  /** The method's own fields as typed, already validated. */
  readonly fields: Readonly<Record<string, string>>;
  /** Peer-to-peer: the bank that the person chose. */
  readonly bank?: string;
  /** What the catalogue's method says to its provider; each provider reads its own words. */
  readonly providerOptions: Readonly<Record<string, string>>;
  /** Where the person comes back to; already checked against the operator's origins. Absent: a page of the cashier's own. */
  readonly returnUrl: string;
  /** The widget's language. */
  readonly language: string;
  /**
   * Keeps the request that is about to be sent, once: a later try gets back what was kept first. For a provider that refuses another
   * request under the same idempotency key. Absent: nothing is kept.
   */
  readonly keepRequest?: (request: string) => Promise<string>;
  /** Signalled when the caller no longer waits; the outcome is then unknown. */
  readonly signal: AbortSignal;
}

/** What the provider answered to a create. Every form of the specification's 'Deposit response' can be said with it. */
export type ProviderCreateResult =
  | {
      readonly kind: 'created';
      /** The provider's own id of the payment; unique per provider for ever. */
      readonly providerRef: string;
      readonly source?: string | RedirectForm;
      /** Passed on as it is, null too: what a provider leaves out is for the widget to report. */
      readonly data?: DepositData | null;
      readonly pageId?: string;
      readonly pageType?: string;
      /** Seconds after which an unpaid payment expires; absent: the method's or the default. */
      readonly lifetimeSeconds?: number;
    }
  /**
   * Refused for good. `message` is meant for the person (`banking.merchantClientError`) where present, `cause` tells the person why:
   * never a hint at fraud.
   */
  | {
      readonly kind: 'declined';
      readonly code: string;
      readonly message?: string;
      readonly cause?: DepositDeclineCause;
    }
  /** The provider is broken and certainly took nothing of this call; it says nothing of an earlier one. */
  | { readonly kind: 'failed'; readonly code: string }
  /** It is not known whether the provider holds the payment: never treated as failed. */
  | { readonly kind: 'unknown'; readonly code: string };

/** What a provider reports about a payment, from a call-back or from an answer to our question. */
export interface ProviderEvidence extends PaymentReport {
  /** Our id where the report names it. */
  readonly depositId?: string;
  /** Whose it is, where the provider gives back what was sent along; it counts where the report names no payment of ours. */
  readonly operatorId?: string;
  readonly reason?: string;
  /**
   * Money that names no deposit, at an address that serves everybody: it is opened under `depositId` for the people of the operator
   * with this partner key to decide about; absent: the only operator.
   */
  readonly unassigned?: { readonly operator?: string };
  /** Unique per provider and fact, so that the same report twice posts once. */
  readonly eventId: string;
  /** ISO 8601; for people, never for ordering. */
  readonly at: string;
}

/** How an on-ramp goes on: to a page of its own, or not, for a reason meant for logs. */
export type ProviderContinueResult = { readonly redirect: string | RedirectForm } | { readonly error: string };

/** Whether a provider takes what a person typed for it; `fields` names what it will not have. */
export type ProviderInputResult =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly fields: readonly string[] };

/** A credited payment that is to be sent back wholly. */
export interface ProviderRefund {
  /** Our own id of the refund: the idempotency key towards the provider. */
  readonly refundId: string;
  readonly depositId: string;
  readonly providerRef: string;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint;
  readonly currency: string;
}

export type ProviderRefundResult =
  /** The provider sends it back. `isDone`: the money has left; else a report of `reversed`, or the next question, says so. */
  | { readonly kind: 'accepted'; readonly isDone: boolean }
  /** It certainly sends nothing back, now or later. */
  | { readonly kind: 'declined'; readonly code: string }
  | { readonly kind: 'unknown'; readonly code: string };

/** A call-back as it arrived, before anything is believed. */
export interface RawCallback {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly rawBody: Uint8Array;
  /** ms since epoch at arrival. */
  readonly receivedAt: number;
}

export type VerifiedCallback =
  | { readonly kind: 'verified'; readonly messageId: string }
  | { readonly kind: 'rejected'; readonly reason: string };

export interface Provider {
  /** The folder's name, such as `sandbox`; also the name in the catalogue and in the address of its call-backs. */
  readonly name: string;
  /**
   * Looked at once before the server listens, within seconds. Throws only what must stop the start; the message is one line that says
   * what to do.
   */
  beforeStart?(): Promise<void>;
  /** Whether it serves a network of coins; absent: every one that the catalogue names. */
  readonly hasNetwork?: (network: string) => boolean;
  /** Creates the payment at the provider. Never throws for an answer of the provider; a thrown error means an unknown outcome. */
  create(deposit: ProviderDeposit): Promise<ProviderCreateResult>;
  /** Asks what became of a payment, for unknown outcomes and silent providers. `undefined`: the provider does not know it. */
  inquire(query: { readonly depositId: string; readonly providerRef?: string }): Promise<ProviderEvidence | undefined>;
  /** Checks signature and age of a call-back. Cheap, no I/O: it runs before anything is stored. */
  verify(callback: RawCallback): VerifiedCallback;
  /**
   * Reads a verified call-back, later, from the inbox; may ask the provider for what the call-back only hints at. Throws on a
   * body that makes no sense; the inbox retries and then parks it. `undefined`: it says nothing of a deposit.
   */
  read(rawBody: Uint8Array): ProviderEvidence | undefined | Promise<ProviderEvidence | undefined>;
  /**
   * Looks for payments by itself where nobody calls back: one round, as often as asked, on any node. Must not throw for a part of
   * what it looks at.
   */
  readonly watch?: {
    /** ms between rounds. */
    readonly idleMs: number;
    /** Everything at once. */
    round(report: (evidence: ProviderEvidence) => Promise<unknown>): Promise<void>;
    /** The same in parts that do not wait for each other, so that a slow one delays no other. */
    readonly parts?: readonly {
      readonly name: string;
      /** ms between rounds, where they are others than the whole's. */
      readonly idleMs?: number;
      round(report: (evidence: ProviderEvidence) => Promise<unknown>): Promise<void>;
    }[];
  };
  /** Where the provider also pays out (WD-2). */
  readonly withdrawals?: WithdrawalProvider;
  /** Cancels an unpaid payment where the provider can. */
  cancel?(query: { readonly depositId: string; readonly providerRef: string }): Promise<void>;
  /**
   * Takes what the person typed into the `inputFields` of the create's answer, checked already. Told again until it answers;
   * the newest word counts, the same word twice changes nothing. Needed by a provider that asks for fields.
   */
  takeInputs?(inputs: {
    readonly depositId: string;
    readonly providerRef: string;
    readonly fields: Readonly<Record<string, string>>;
  }): Promise<ProviderInputResult>;
  /**
   * Sends a payment back. Asked again under the same `refundId` until the money has left or it is declined: it must never send
   * twice. A thrown error means an unknown outcome.
   */
  refund?(refund: ProviderRefund): Promise<ProviderRefundResult>;
  /** On-ramp: goes on with the chosen offer (DEP-14). */
  continue?(query: {
    readonly depositId: string;
    readonly providerRef: string;
    readonly method?: string;
  }): Promise<ProviderContinueResult>;
}
