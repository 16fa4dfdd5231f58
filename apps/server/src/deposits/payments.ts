/** The interface of payments for the rest of the server. */

import type {
  DepositResponse,
  depositCreate,
  ParsedRequestOf,
  Transaction as TransactionView,
} from '@opencashier/contract/api';
import type { Caller } from '../operators/caller.ts';
import type { CancelOptions } from '../payment-ports/payments-core.ts';
import type { AppliedReport } from '../provider-events/apply-report.ts';
import type { DepositReport, ProviderContinueResult } from '../providers/provider.ts';
import type { RequestedBox } from '../sweepstake/bought-box.ts';

/** A create call with its context. */
export interface CreateDeposit {
  readonly caller: Caller;
  readonly request: ParsedRequestOf<typeof depositCreate>;
  /**
   * Set by the peer-to-peer call: only peer-to-peer methods, one open deposit at a time, and the provider's own time
   * limits.
   */
  readonly p2p?: { readonly bank?: string };
  /** Set by the sweepstake call: buys a coin box. The box sets amount and currency; the request does not. */
  readonly box?: RequestedBox;
  readonly language: string;
  readonly signal: AbortSignal;
}

/** What the payer enters with "I have paid". */
export interface PaidClaim {
  readonly confirmationId?: string | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
}

export interface Payments {
  /**
   * Creates a deposit once per `depositId` (SRV-6). Validates by the rules of the widget (SRV-8), commits the row,
   * calls the provider and stores the answer. A retry returns the stored answer.
   *
   * @throws DomainError limit-min, limit-max, method-unavailable, banking.paymentMethodRegex,
   * banking.merchantClientError, bonus-expired, box-sold-out, box-changed, in-flight, state-conflict (cancelled
   * before the create), idempotency-conflict, provider-error, unknown-outcome
   */
  createDeposit(command: CreateDeposit): Promise<DepositResponse>;
  /** @throws DomainError not-found, also for another user's deposit */
  depositStatus(caller: Caller, depositId: string): Promise<TransactionView>;
  /** Cancels a deposit if possible. Before the create it stores a tombstone, which refuses the late create (DEP-11). */
  cancelDeposit(
    caller: Caller,
    depositId: string,
    options?: CancelOptions,
  ): Promise<{ isCancelled: boolean; transaction?: TransactionView }>;
  /**
   * The payer says "I have paid": asks the provider at once and credits nothing itself. Stores the receipt number if
   * the method needs one (FORM-10), five different numbers at most. Checks the `inputFields` of the provider's answer
   * and sends them to the provider; the newest values count.
   * @throws DomainError not-found, invalid-request, state-conflict, banking.paymentMethodRegex
   */
  completeDeposit(caller: Caller, depositId: string, claim?: PaidClaim): Promise<TransactionView>;
  /**
   * On-ramp: continues with an offer (DEP-14).
   * @throws DomainError not-found, state-conflict
   */
  continueDeposit(caller: Caller, depositId: string, method?: string): Promise<ProviderContinueResult>;
  /** The newest unfinished deposit of a method, for the widget to resume. */
  openDeposit(caller: Caller, paymentMethod: string): Promise<TransactionView | undefined>;
  /** Applies a report. Callbacks, answers to status questions and chain watchers all use it. */
  apply(report: DepositReport): Promise<AppliedReport>;
}
