/** The interface of withdrawals for the rest of the server (WD-2). */
import type {
  ParsedRequestOf,
  PayoutAccount,
  ResponseOf,
  WithdrawalTransaction,
  withdrawalCancel,
  withdrawalCodeSend,
  withdrawalCreate,
  withdrawalStatus,
} from '@opencashier/contract/api';
import type { ApprovalDecision } from '@opencashier/core/withdrawal/withdrawal-approval';
import type { Caller } from '../operators/caller.ts';
import type { CancelOptions } from '../payment-ports/payments-core.ts';
import type { AppliedReport } from '../provider-events/apply-report.ts';
import type { WithdrawalReport } from '../providers/withdrawal-provider.ts';
import type { WithdrawalRow } from './withdrawal-row.ts';

/** A create call with its caller. */
export interface CreateWithdrawal {
  readonly caller: Caller;
  readonly request: ParsedRequestOf<typeof withdrawalCreate>;
  /** The widget's language, for the provider's messages to the user; absent: English. */
  readonly language?: string;
}

export interface Withdrawals {
  /**
   * Holds the amount once per `withdrawalId`. Validates by the rules of the widget, then stores row and hold in one
   * transaction. A retry returns the stored terms and the present state.
   *
   * @throws DomainError limit-min, limit-max, method-unavailable, insufficient-funds, banking.paymentMethodRegex,
   * banking.merchantClientError and payee-close-match (the payee's name), invalid-request, idempotency-conflict, state-conflict (cancelled before the create), rate-limited
   */
  create(command: CreateWithdrawal): Promise<ResponseOf<typeof withdrawalCreate>>;
  /**
   * Confirms a held withdrawal. Commits the confirmation and submits it to the provider, or makes it wait for the
   * operator's approval. A retry returns the present state.
   * @throws DomainError not-found, state-conflict, in-flight, invalid-request (code missing), code-wrong,
   * code-expired, code-attempts, banking.merchantClientError, provider-error, unknown-outcome
   */
  confirm(caller: Caller, withdrawalId: string, code?: string): Promise<WithdrawalTransaction>;
  /**
   * Sends another confirmation code.
   * @throws DomainError not-found, state-conflict when no code is needed
   */
  sendCode(caller: Caller, withdrawalId: string): Promise<ResponseOf<typeof withdrawalCodeSend>>;
  /**
   * Cancels a withdrawal and releases its hold. A cancel before the create stores a tombstone, which refuses the late
   * create.
   * @throws DomainError state-conflict after the submission
   */
  cancel(caller: Caller, withdrawalId: string, options?: CancelOptions): Promise<ResponseOf<typeof withdrawalCancel>>;
  /** @throws DomainError not-found, also for another user's withdrawal */
  status(caller: Caller, withdrawalId: string): Promise<ResponseOf<typeof withdrawalStatus>>;
  /** The cards to which a method pays refunds of their payments, as saved accounts; undefined: it pays to other accounts. */
  cards(caller: Caller, paymentMethod: string, currency: string): Promise<PayoutAccount[] | undefined>;
  /** The newest withdrawal in a currency that the user can still confirm; undefined: none. */
  unconfirmed(caller: Caller, currency: string): Promise<WithdrawalTransaction | undefined>;
  /** Applies a report. Callbacks, answers to status questions and answers to payout requests all use it. */
  apply(report: WithdrawalReport): Promise<AppliedReport>;
}

/** A decision of staff about a waiting withdrawal. */
export interface WithdrawalDecision {
  readonly operatorId: string;
  readonly withdrawalId: string;
  /** The operator's idempotency key: a retry decides nothing again. */
  readonly decisionId: string;
  readonly decision: ApprovalDecision;
  /** The operator's name for the person who decided; stored, never logged. */
  readonly decidedBy: string;
  /** The API key that sent the decision. Absent: the command line. */
  readonly keyId?: string | undefined;
  readonly reason?: string | undefined;
}

/** One approval of a withdrawal. */
export interface KnownApproval {
  readonly decidedBy: string;
  /** The API key that sent it. Null: the command line. */
  readonly keyId: string | null;
  readonly at: Date;
}

/** A stored decision. */
export interface MadeDecision extends KnownApproval {
  readonly decisionId: string;
  readonly withdrawalId: string;
  readonly decision: ApprovalDecision;
}

/** A stored decision, and the present state of the withdrawal. */
export interface DecidedWithdrawal {
  readonly made: MadeDecision;
  readonly row: WithdrawalRow;
  readonly approvals: readonly KnownApproval[];
}
