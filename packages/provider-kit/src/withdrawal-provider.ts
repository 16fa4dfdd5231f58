/**
 * The half of a provider that pays out (WD-2). As with deposits, it reports what it saw, as {@link WithdrawalReport}. The cashier
 * decides what that means for the balance. The rules of provider.ts about idempotency, certainty and time hold here too.
 */
import type { DeclineCause } from './generated/payment-types.ts';

/** One refund by which a withdrawal is paid out to the card that paid. All refunds of a withdrawal add up to `receivesMinor`. */
export interface PayoutRefund {
  /** Our id, stored before the call. It is the idempotency key at the provider. Send it along, so that reports name it. */
  readonly refundId: string;
  /** The company's id of the payment to refund: `providerRef` of the deposit. */
  readonly paymentRef: string;
  /** Minor units of the withdrawal's currency. Never more than the payment has left by the books of the cashier. */
  readonly amountMinor: bigint;
}

/** A withdrawal, as its provider needs it. */
export interface ProviderWithdrawal {
  /** Our id. It is the idempotency key at the provider: two requests with the same id make one payout. */
  readonly withdrawalId: string;
  /** The name of the method in the catalogue. */
  readonly paymentMethod: string;
  /** What the user asked for, in minor units of the balance. */
  readonly amountMinor: bigint;
  /** What must arrive after the fee, in minor units of `currency`. For a redemption this currency is not the balance's. */
  readonly receivesMinor: bigint;
  readonly currency: string;
  readonly country: string;
  /** The payee: what the user typed into the method's fields. The cashier has validated it. */
  readonly fields: Readonly<Record<string, string>>;
  /** The method's options for its provider, from the catalogue. Each provider defines its own names. */
  readonly providerOptions: Readonly<Record<string, string>>;
  /** Set where the method pays only to cards that paid: the refunds that pay this withdrawal out, in their order. */
  readonly refunds?: readonly PayoutRefund[];
  /** The language tag of the widget. */
  readonly language: string;
  /** Aborts when the cashier no longer waits. The outcome is then unknown. */
  readonly signal: AbortSignal;
}

/** The answer of {@link WithdrawalProvider.withdraw}. */
export type ProviderWithdrawResult =
  /** The company will pay out, or has paid. A report says when the money has arrived. */
  | {
      readonly kind: 'accepted';
      /** The company's id of the payout. Unique per provider, for ever. */
      readonly providerRef: string;
    }
  /** The company refused this withdrawal for good, also for a repeated request. The held amount returns to the user. */
  | {
      readonly kind: 'declined';
      /** Letters, digits and hyphens. For logs and staff. */
      readonly code: string;
      /** Shown to the user, in their language. */
      readonly message?: string;
      /** See {@link WithdrawalReport.cause}. */
      readonly cause?: DeclineCause;
    }
  /**
   * The company could not take this request, and certainly pays nothing for it. The held amount returns to the user. After a repeated
   * request the cashier takes it as `unknown`, because an earlier try may have succeeded.
   */
  | { readonly kind: 'failed'; readonly code: string }
  /** The company may pay. The amount stays held, and the cashier asks by {@link WithdrawalProvider.inquire}. */
  | {
      readonly kind: 'unknown';
      readonly code: string;
      /** See {@link WithdrawalReport.refusedRefunds}. */
      readonly refusedRefunds?: readonly string[];
    };

/** One fact about a payout, from a callback, an inquiry or the answer to the request. */
export interface WithdrawalReport {
  readonly provider: string;
  /** The company's id of the payout. Absent only where a refusal names none. */
  readonly providerRef?: string;
  /** Our id, where the report names it. */
  readonly withdrawalId?: string;
  /**
   * - `pending`: the company has the payout, and the money has not arrived.
   * - `paid`: the money has arrived.
   * - `declined`: the company certainly does not pay. The held amount returns to the user.
   * - `returned`: it was paid, and the money came back to the provider, such as from a closed account.
   */
  readonly outcome: 'pending' | 'paid' | 'declined' | 'returned';
  /** What really arrived or came back, in minor units of `currency`. Needed for `paid` and `returned`. */
  readonly paidMinor?: bigint;
  readonly currency?: string;
  /** For the operator's staff. The user never sees it. */
  readonly reason?: string;
  /**
   * Ids of refunds by which the company certainly sends nothing, although others of this withdrawal have left or may leave. The cashier
   * replaces them by refunds of other payments, and calls `withdraw` again.
   */
  readonly refusedRefunds?: readonly string[];
  /**
   * With `returned`, where a payout is made by refunds: the `refundId` of the refund that failed. It may have failed before its payout was
   * paid. The cashier then asks for the state, and replaces the refund.
   */
  readonly refundId?: string;
  /** With `declined` and `returned`: what the user can change. Never the result of a risk check, which would teach how to pass it. */
  readonly cause?: DeclineCause;
  /** With `declined` and `returned`: a text for the user, in their language. A text for staff belongs into `reason`. */
  readonly message?: string;
  /** Names the fact, not the message. A duplicate webhook, and an inquiry about the same fact, must have the same id. */
  readonly eventId: string;
  /** ISO 8601. For people. Never used for ordering. */
  readonly at: string;
}

/** The half of a provider that pays out. */
export interface WithdrawalProvider {
  /**
   * Asks the company to pay out.
   *
   * - When: after the amount is held on the user's balance, and after staff approved it where an approval is needed. Again under the same
   *   `withdrawalId` after an unknown outcome, when `inquire` says that the company does not know it. With `refunds` also when `inquire`
   *   says that some or all of them were refused, because the cashier may have replaced them.
   * - Answer: the same payout for the same `withdrawalId`. Different amounts under one id are `unknown`. With `refunds`: `accepted` only
   *   when all of them are made, and `declined` only when none is made or can still be made.
   * - Errors: answer the company's refusals, and do not throw. A thrown error counts as `unknown`.
   * - Time limit: 15 seconds. Then `signal` aborts, and the outcome is `unknown`.
   * - Unknown outcome: the amount stays held. The cashier calls `inquire` after 10 s, 30 s, 2 min, 10 min and 1 h. Then it asks every
   *   6 h, for ever.
   */
  withdraw(withdrawal: ProviderWithdrawal): Promise<ProviderWithdrawResult>;

  /**
   * Asks the company for the state of a payout.
   *
   * - When: after an unknown outcome, and while a payout is pending and its callback may be lost. `providerRef` is absent when the
   *   request got no answer: find the payout by `withdrawalId`.
   * - Answer: report of the current state, with the same `eventId` as the callback about that state. `undefined` only when the
   *   company says that it does not know the payout. After an unknown outcome the cashier then requests it again under the same id.
   *   With `refunds`, `declined` only when each of them ended without money. The answer of `withdraw` then ends the payout.
   * - Errors: throw when the company does not answer.
   * - Time limit: 10 seconds.
   * - Unknown outcome: the cashier changes nothing and asks again.
   */
  inquire(query: {
    readonly withdrawalId: string;
    readonly providerRef?: string;
    /** As in {@link ProviderWithdrawal.refunds}. `undefined` is also the answer while one of them was not requested yet. */
    readonly refunds?: readonly PayoutRefund[];
  }): Promise<WithdrawalReport | undefined>;

  /**
   * Reads a verified callback.
   *
   * - When: for every verified callback of the provider, before `Provider.read`.
   * - Answer: the report. `undefined` when the callback is not about a payout, and `Provider.read` then gets it.
   * - Errors: throw when the body makes no sense. The cashier reads the callback again, as it does for `Provider.read`.
   * - Time limit: without input or output. Providers in a process of their own answer by a promise, within 10 seconds.
   */
  read(rawBody: Uint8Array): WithdrawalReport | undefined | Promise<WithdrawalReport | undefined>;

  /**
   * Brings payouts forward where no company does it, such as on a chain. Works like `Provider.watch.parts`.
   *
   * - When: every `idleMs`, in every process of the server. Take a lease where two processes must not work at once.
   * - Answer: call `report` for each fact. It throws while the database is away: report the same fact with the same `eventId` in a later
   *   round.
   * - Errors: a thrown error is logged, and the next round comes later.
   * - Time limit: none by the cashier. A stop of the server cuts a long round off, so a round must be safe to repeat.
   * - Unknown outcome: the amount stays held until a report ends the payout.
   */
  readonly watch?: readonly {
    readonly name: string;
    /** Milliseconds between two rounds. */
    readonly idleMs: number;
    round(report: (one: WithdrawalReport) => Promise<unknown>): Promise<void>;
  }[];
}
