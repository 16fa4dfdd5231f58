/** What the rest of the server may ask of withdrawals (WD-2). */
import type {
  AccountType,
  ParsedRequestOf,
  ResponseOf,
  WithdrawalTransaction,
  withdrawalCreate,
} from '@opencashier/contract/api';
import type { Caller } from '../../calls/caller.ts';
import type { WithdrawalEvidence } from '../../providers/withdrawal-provider.ts';

export interface CreateWithdrawal {
  readonly caller: Caller;
  readonly request: ParsedRequestOf<typeof withdrawalCreate>;
}

export interface Withdrawals {
  /**
   * Holds the amount once per `withdrawalId`: validates by the same rules as the widget, then row and hold in one transaction.
   * A replay answers the same terms, and how it stands now.
   *
   * @throws CallFailure limit-min, limit-max, method-unavailable, insufficient-funds, banking.paymentMethodRegex,
   *   invalid-request, idempotency-conflict
   */
  create(command: CreateWithdrawal): Promise<ResponseOf<typeof withdrawalCreate>>;
  /**
   * Submits what is held to the provider, after a commit that says so. A replay answers how it stands.
   * @throws CallFailure not-found, state-conflict, in-flight, banking.merchantClientError, provider-error, unknown-outcome
   */
  confirm(caller: Caller, withdrawalId: string): Promise<WithdrawalTransaction>;
  /** Gives the held amount back. @throws CallFailure not-found, state-conflict once it was submitted */
  cancel(caller: Caller, withdrawalId: string): Promise<WithdrawalTransaction>;
  /** @throws CallFailure not-found, also for another user's withdrawal */
  status(caller: Caller, withdrawalId: string): Promise<WithdrawalTransaction>;
  /** The one door: call-back, poller and the provider's answer all come through here. */
  apply(evidence: WithdrawalEvidence): Promise<AppliedWithdrawalEvidence>;
  /** Ledger's word on what can be withdrawn from an account, in minor units. */
  balance(caller: Caller, accountType: AccountType, currency: string): Promise<bigint>;
}

/** What became of a report: `parked` waits for its withdrawal or for people and is never dropped. */
export interface AppliedWithdrawalEvidence {
  readonly outcome: 'moved' | 'unchanged' | 'parked';
  readonly withdrawalId?: string;
}
