/** What the rest of the server may ask of payments. Its rooms: lifecycle, apply (the one door), expiry, reconciliation. */

import type {
  DepositResponse,
  depositCreate,
  ParsedRequestOf,
  Transaction as TransactionView,
} from '@opencashier/contract/api';
import type { CancelOptions } from '../lifecycle/cancel-options.ts';
import type { Caller } from '../operators/caller.ts';
import type { AppliedReport } from '../provider-events/apply-report.ts';
import type { ProviderContinueResult, ProviderEvidence } from '../providers/provider.ts';
import type { RequestedBox } from '../sweepstake/bought-box.ts';

export interface CreateDeposit {
  readonly caller: Caller;
  readonly request: ParsedRequestOf<typeof depositCreate>;
  /** Set by the peer-to-peer call: only methods of that kind, one open deposit at a time, the provider's own timing. */
  readonly p2p?: { readonly bank?: string };
  /** Set by the sweepstake's call: a coin box is bought, at the box's price and in its currency, whatever the request says. */
  readonly box?: RequestedBox;
  readonly language: string;
  readonly signal: AbortSignal;
}

/** What a person says beside "I have paid". */
export interface SaidPaid {
  readonly confirmationId?: string | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
}

export interface Payments {
  /**
   * Creates a deposit once per `depositId` (SRV-6): validates against the catalogue by the same rules as the widget (SRV-8),
   * commits the row, only then calls the provider, stores the answer. A replay answers the stored answer.
   *
   * @throws DomainError limit-min, limit-max, method-unavailable, banking.paymentMethodRegex, banking.merchantClientError,
   *   bonus-expired, box-sold-out, box-changed, in-flight, state-conflict (cancelled before it came), idempotency-conflict, provider-error, unknown-outcome
   */
  createDeposit(command: CreateDeposit): Promise<DepositResponse>;
  /** @throws DomainError not-found, also for another user's deposit */
  depositStatus(caller: Caller, depositId: string): Promise<TransactionView>;
  /** Cancels while it is possible; leaves a tombstone when the create has not come yet (DEP-11). */
  cancelDeposit(
    caller: Caller,
    depositId: string,
    options?: CancelOptions,
  ): Promise<{ isCancelled: boolean; transaction?: TransactionView }>;
  /**
   * "I have paid": asks the provider now; credits nothing by itself. Keeps the number of the receipt where the method wants
   * one (FORM-10): five numbers at most, a repeat of one is free. What the provider's answer asked for (`inputFields`) is
   * checked and passed on to the provider; the newest word counts.
   * @throws DomainError not-found, invalid-request, state-conflict, banking.paymentMethodRegex
   */
  completeDeposit(caller: Caller, depositId: string, said?: SaidPaid): Promise<TransactionView>;
  /** On-ramp: goes on with an offer (DEP-14). @throws DomainError not-found, state-conflict */
  continueDeposit(caller: Caller, depositId: string, method?: string): Promise<ProviderContinueResult>;
  /** The newest unfinished deposit of a method, to be resumed. */
  openDeposit(caller: Caller, paymentMethod: string): Promise<TransactionView | undefined>;
  /** Callbacks, answers to our questions and watchers of chains all come through here. */
  apply(report: ProviderEvidence): Promise<AppliedReport>;
}
