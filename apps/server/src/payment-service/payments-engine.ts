/** The payments of a running server: their calls, the door of call-backs, the decisions of people, and the workers. */
import type { Transaction as TransactionView, WithdrawalTransaction } from '@opencashier/contract/api';
import type { Payments } from '../deposits/payments.ts';
import type { RefundCommand, RefundRow } from '../payments/refund-store.ts';
import type { RawCallback } from '../providers/provider.ts';
import type { CallbackReceipt } from '../reconciliation/callback-inbox.ts';
import type { DecidedWithdrawal, WithdrawalDecision, Withdrawals } from '../withdrawals/withdrawals.ts';

export interface PaymentsEngine extends Payments {
  readonly withdrawals: Withdrawals;
  /**
   * Verifies and stores a provider's call-back; it is read later. Once accepted it is never lost.
   * @param admit asked about one whose signature is good: 0, or the seconds after which it may come again; absent: all are let in
   */
  receiveCallback(providerName: string, callback: RawCallback, admit?: () => Promise<number>): Promise<CallbackReceipt>;
  /**
   * People decide about money under review: `credit` gives the user what was really paid, `refund` sends it back.
   * @param nth which of the deposit's reviews; absent: the open one
   * @throws ReviewError
   */
  resolveReview(
    depositId: string,
    decision: 'credit' | 'refund',
    staff: string,
    nth?: number,
  ): Promise<TransactionView>;
  /**
   * Sends a credited deposit back, wholly: once per `refundId`, and once per deposit.
   * @throws DomainError not-found, state-conflict, insufficient-funds, idempotency-conflict
   */
  refundDeposit(command: RefundCommand): Promise<RefundRow>;
  /**
   * People decide about a withdrawal that was paid after its money had been given back: `charge` takes it from the user, `bear`
   * leaves it to the operator.
   * @throws ReviewError
   */
  settleLatePayout(withdrawalId: string, decision: 'charge' | 'bear', staff: string): Promise<WithdrawalTransaction>;
  /**
   * People of the operator approve or decline a withdrawal that waits for them: once per `decisionId`. The last approval that is
   * needed hands it to the provider; a decline gives the amount back.
   * @throws DomainError not-found, state-conflict (`params.state`), idempotency-conflict
   */
  decideWithdrawal(decision: WithdrawalDecision): Promise<DecidedWithdrawal>;
  /** Does everything that is due now, once; for tests, and for people who do not want to wait. */
  runDueWork(): Promise<void>;
  /** Starts expiry, reconciliation, inbox, outbox and web-hooks. */
  startWorkers(): void;
  /** Stops the workers and waits for what they have in hand. */
  stop(): Promise<void>;
}
