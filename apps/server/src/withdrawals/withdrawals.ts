/** What the rest of the server may ask of withdrawals (WD-2). */
import type {
  ParsedRequestOf,
  ResponseOf,
  WithdrawalTransaction,
  withdrawalCancel,
  withdrawalCodeSend,
  withdrawalCreate,
  withdrawalStatus,
} from '@opencashier/contract/api';
import type { ApprovalDecision } from '@opencashier/core/withdrawal/withdrawal-approval';
import type { CancelOptions } from '../lifecycle/cancel-options.ts';
import type { Caller } from '../operators/caller.ts';
import type { AppliedReport } from '../provider-events/apply-report.ts';
import type { WithdrawalEvidence } from '../providers/withdrawal-provider.ts';
import type { WithdrawalRow } from './withdrawal-row.ts';

export interface CreateWithdrawal {
  readonly caller: Caller;
  readonly request: ParsedRequestOf<typeof withdrawalCreate>;
  /** Of the widget, for what the provider says to the person; absent: English. */
  readonly language?: string;
}

export interface Withdrawals {
  /**
   * Holds the amount once per `withdrawalId`: validates by the same rules as the widget, then row and hold in one transaction.
   * A replay answers the same terms, and how it stands now.
   *
   * @throws DomainError limit-min, limit-max, method-unavailable, insufficient-funds, banking.paymentMethodRegex,
   *   invalid-request, idempotency-conflict, state-conflict where it was cancelled before it came, rate-limited
   */
  create(command: CreateWithdrawal): Promise<ResponseOf<typeof withdrawalCreate>>;
  /**
   * Submits what is held to the provider, after a commit that says so, or lets it wait for the operator's approval. A replay
   * answers how it stands.
   * @throws DomainError not-found, state-conflict, in-flight, invalid-request where a code is wanted and none was given,
   *   code-wrong, code-expired, code-attempts, banking.merchantClientError, provider-error, unknown-outcome
   */
  confirm(caller: Caller, withdrawalId: string, code?: string): Promise<WithdrawalTransaction>;
  /** Another confirmation code. @throws DomainError not-found, state-conflict where none is wanted */
  sendCode(caller: Caller, withdrawalId: string): Promise<ResponseOf<typeof withdrawalCodeSend>>;
  /**
   * Gives the held amount back. Before the create it leaves a tombstone, and the late create is refused.
   * @throws DomainError state-conflict once it was submitted
   */
  cancel(caller: Caller, withdrawalId: string, options?: CancelOptions): Promise<ResponseOf<typeof withdrawalCancel>>;
  /** @throws DomainError not-found, also for another user's withdrawal */
  status(caller: Caller, withdrawalId: string): Promise<ResponseOf<typeof withdrawalStatus>>;
  /** What the caller's user has held last in a currency and can still confirm; undefined when there is nothing. */
  unconfirmed(caller: Caller, currency: string): Promise<WithdrawalTransaction | undefined>;
  /** Callbacks, answers to our questions and answers to the payout's request all come through here. */
  apply(report: WithdrawalEvidence): Promise<AppliedReport>;
}

export interface WithdrawalDecision {
  readonly operatorId: string;
  readonly withdrawalId: string;
  /** The operator's key: a repeat decides nothing more. */
  readonly decisionId: string;
  readonly decision: ApprovalDecision;
  /** A name of the operator's own; kept, never logged. */
  readonly decidedBy: string;
  readonly reason?: string | undefined;
}

export interface KnownApproval {
  readonly decidedBy: string;
  readonly at: Date;
}

export interface MadeDecision extends KnownApproval {
  readonly decisionId: string;
  readonly withdrawalId: string;
  readonly decision: ApprovalDecision;
}

/** A decision that was made, and how the withdrawal stands now. */
export interface DecidedWithdrawal {
  readonly made: MadeDecision;
  readonly row: WithdrawalRow;
  readonly approvals: readonly KnownApproval[];
}
