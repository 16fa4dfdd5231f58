/** The payments of a running server: calls, callbacks of providers, decisions of staff, and workers. */
import type { Transaction as TransactionView, WithdrawalTransaction } from '@opencashier/contract/api';
import type { Payments } from '../deposits/payments.ts';
import type { RefundAnswer, RefundCommand } from '../payments/refund-store.ts';
import type { ReviewedDeposit } from '../payments/resolve-review.ts';
import type { RawCallback } from '../providers/provider.ts';
import type { CallbackReceipt } from '../reconciliation/callback-inbox.ts';
import type { WalletBalanceOf } from '../wallet-calls/wallet-balance.ts';
import type { ReviewedPayout } from '../withdrawals/settle-late-payout.ts';
import type { DecidedWithdrawal, WithdrawalDecision, Withdrawals } from '../withdrawals/withdrawals.ts';

export interface PaymentsEngine extends Payments {
  readonly withdrawals: Withdrawals;
  readonly walletBalanceOf: WalletBalanceOf;
  /**
   * Verifies and stores a provider's callback. A worker reads it later. An accepted callback is never lost.
   * @param admit limits callbacks with a good signature: 0, or the seconds after which the provider may send it again; absent: no
   *   limit
   */
  receiveCallback(providerName: string, callback: RawCallback, admit?: () => Promise<number>): Promise<CallbackReceipt>;
  /**
   * Staff decide about money under review: `credit` gives the user the amount that was really paid, `refund` sends it back.
   * @throws ReviewError
   */
  resolveReview(reviewed: ReviewedDeposit, decision: 'credit' | 'refund', staff: string): Promise<TransactionView>;
  /**
   * Refunds a credited deposit in full: once per `refundId`, and once per deposit.
   * @throws DomainError not-found, state-conflict, insufficient-funds, idempotency-conflict
   */
  refundDeposit(command: RefundCommand): Promise<RefundAnswer>;
  /**
   * Staff decide about a withdrawal that was paid out after its amount had been returned: `charge` takes it from the user, `bear`
   * charges the operator.
   * @throws ReviewError
   */
  settleLatePayout(
    withdrawal: ReviewedPayout,
    decision: 'charge' | 'bear',
    staff: string,
  ): Promise<WithdrawalTransaction>;
  /**
   * Staff approve or decline a withdrawal that waits for approval: once per `decisionId`. The last needed approval hands the
   * withdrawal to the provider. A decline returns the amount.
   * @throws DomainError not-found, state-conflict (`params.state`), idempotency-conflict
   */
  decideWithdrawal(decision: WithdrawalDecision): Promise<DecidedWithdrawal>;
  /** Does all work that is due now, once. For tests, and for commands that do not wait for the workers. */
  runDueWork(): Promise<void>;
  /** Starts expiry, reconciliation, inbox, outbox and webhooks. */
  startWorkers(): void;
  /** Every worker looks for due work at once, since the clock was moved. */
  lookAgain(): void;
  /** Stops the workers and waits for their work in hand. */
  stop(): Promise<void>;
}
