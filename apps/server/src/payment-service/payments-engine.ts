/** Payments as the server assembles them: the calls of {@link Payments}, the door of call-backs, and the work that repeats. */
import type { Transaction, WithdrawalTransaction } from '@opencashier/contract/api';
import type { Clock } from '@opencashier/core/time/clock';
import type { Bonuses } from '../bonuses/bonuses.ts';
import type { CaptchaGate } from '../captcha/captcha-gate.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Database } from '../database/database.ts';
import type { Payments } from '../deposits/payments.ts';
import type { Failpoint } from '../lifecycle/failpoints.ts';
import type { Spans } from '../observability/spans.ts';
import type { CodeChannelOf } from '../operators/code-policy.ts';
import type { LimitsOf } from '../operators/limit-overrides.ts';
import type { RefundCommand, RefundRow } from '../payments/refund-store.ts';
import type { Provider, RawCallback } from '../providers/provider.ts';
import type { DataKeys } from '../sealing/data-keys.ts';
import type { Redemptions } from '../sweepstake/redemptions.ts';
import type { DecidedWithdrawal, WithdrawalDecision, Withdrawals } from '../withdrawals/withdrawals.ts';

/** Hands a push to every socket of a user, on whichever node. Best effort: a push is a hint. */
export interface Pusher {
  push(operatorId: string, userId: string, name: string, body: unknown): Promise<void> | void;
}

/** The part of a logger that payments need. Fields hold ids, codes and times; never bodies. */
export interface PaymentsLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface PaymentsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  readonly limitsOf: LimitsOf;
  /** Keys what must not lie readable in the database, such as confirmation codes; nodes that share a database share it. */
  readonly secret: string;
  /** Encrypts what is kept for long, such as saved accounts, and marks destinations. */
  readonly dataKeys: DataKeys;
  /** Which withdrawals the operator wants confirmed by a code; absent: those alone whose method says so. */
  readonly codeChannelOf?: CodeChannelOf;
  /** Asked for methods that want a captcha (ERR-5). */
  readonly captcha: CaptchaGate;
  /** Contracts of the tokens that the settings of chains name: nothing is paid out to one. Absent: the usual ones alone are known. */
  readonly tokenContracts?: readonly string[];
  /** By name. */
  readonly providers: ReadonlyMap<string, Provider>;
  readonly pusher: Pusher;
  /** What arrives of redeemed sweep coins; absent: none are redeemed. */
  readonly redemptions?: Redemptions;
  /** What the operators offer; absent: nothing. */
  readonly bonuses?: Bonuses;
  readonly logger: PaymentsLogger;
  /**
   * Where a person comes back to from the provider: the wanted address if the operator has registered its origin, else a page
   * of the cashier's own.
   */
  returnUrlOf(operatorId: string, wanted: string | undefined): string;
  /** Allows web-hooks over http; for development only. Default false. */
  readonly allowInsecureWebhooks?: boolean;
  /** Absent: no traces. */
  readonly spans?: Spans;
  /** For tests of crashes: called at named points; what it throws ends the work there as a crash would. */
  readonly failpoint?: (name: Failpoint) => void;
}

/** What the HTTP route of a call-back answers: 202, 401, 404 or 429. Nothing of the reason leaves the server. */
export type CallbackReceipt =
  | { readonly kind: 'accepted' | 'rejected' | 'unknown-provider' }
  /** Signed, and not stored: the provider has to send it again. */
  | { readonly kind: 'over-limit'; readonly retryAfterSeconds: number };

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
  resolveReview(depositId: string, decision: 'credit' | 'refund', staff: string, nth?: number): Promise<Transaction>;
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
  settleLateWithdrawal(
    withdrawalId: string,
    decision: 'charge' | 'bear',
    staff: string,
  ): Promise<WithdrawalTransaction>;
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
