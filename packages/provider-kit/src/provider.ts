/**
 * The interface between the cashier and a payment provider (SRV-4). A provider is a company, a bank or a chain that moves the money.
 *
 * Its code is one folder, or a package outside this repository. It translates the company's API, and nothing else knows that API.
 * It never touches the ledger. It reports what it saw as {@link DepositReport}, and the cashier decides what that means for the balance.
 *
 * Three rules hold for every method:
 * - **Idempotency.** The cashier repeats calls after a crash or a lost answer. The same id must never move money twice.
 * - **Certainty.** Answer `declined` or `failed` only when it is certain that no money moved. Everything else is `unknown`. The
 *   cashier then asks again and never treats the payment as failed.
 * - **Time.** The cashier stops waiting at the time limit that each method names, and takes the outcome as unknown.
 *
 * docs/add-a-provider.md and docs/provider-kit.md show how to write one, and testing/conformance.ts tests these rules.
 */
import type { DepositData, DepositDeclineCause, PaymentReport, RedirectForm } from './generated/payment-types.ts';
import type { ListAnswer, ListQuery } from './transaction-list.ts';
import type { WithdrawalProvider } from './withdrawal-provider.ts';

/**
 * `contradiction` of report about test money beside a key for real money, or the reverse. The cashier never books such report.
 */
export const MODE_REPORTS = ['test-mode-report', 'live-mode-report'] as const;

/** A deposit, as its provider needs it. */
export interface ProviderDeposit {
  /** Our id. It is the idempotency key at the provider. */
  readonly depositId: string;
  /**
   * The operator of the deposit. Send it along where the company returns such data in its reports. Then the report names the
   * operator also when it matches no deposit.
   */
  readonly operatorId: string;
  /** The name of the method in the catalogue. */
  readonly paymentMethod: string;
  /** Minor units of `currency`, as the cashier counts them. */
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly country: string;
  /** What the payer typed into the method's fields. The cashier has validated it. */
  readonly fields: Readonly<Record<string, string>>;
  /** Peer-to-peer: the bank that the payer chose. */
  readonly bank?: string;
  /** The method's options for its provider, from the catalogue. Each provider defines its own names. */
  readonly providerOptions: Readonly<Record<string, string>>;
  /** Where the payer returns to. The cashier has checked it against the operator's origins. */
  readonly returnUrl: string;
  /** The language tag of the widget. */
  readonly language: string;
  /**
   * Stores the text of the request before it is sent. Returns the text that was stored first for this deposit. Use it where the
   * company refuses a different request under the same idempotency key. Absent: nothing is stored.
   */
  readonly keepRequest?: (request: string) => Promise<string>;
  /** Aborts when the cashier no longer waits. The outcome is then unknown. */
  readonly signal: AbortSignal;
}

/** The answer of {@link Provider.create}. Every form of the specification's deposit response can be expressed. */
export type ProviderCreateResult =
  /** The company has the payment. The cashier sends the payer to `source`, or shows `data`. */
  | {
      readonly kind: 'created';
      /** The company's id of the payment. Unique per provider, for ever. */
      readonly providerRef: string;
      /** The address of the company's page, or a form that leads there. */
      readonly source?: string | RedirectForm;
      /** Shown by the widget. Passed on unchanged, also when it is null or incomplete. The widget reports what is missing. */
      readonly data?: DepositData | null;
      /** The widget's page for `data`, where the flow has one of its own. */
      readonly pageId?: string;
      readonly pageType?: string;
      /** Seconds after which the unpaid payment expires, at most 366 days. Absent: the method's lifetime, or the default. */
      readonly lifetimeSeconds?: number;
    }
  /** The company refused this deposit for good. The deposit ends. */
  | {
      readonly kind: 'declined';
      /** Letters, digits and hyphens. For logs and staff. */
      readonly code: string;
      /** Shown to the payer (`banking.merchantClientError`), in their language. */
      readonly message?: string;
      /** What the payer can change. Never a hint at fraud. */
      readonly cause?: DepositDeclineCause;
    }
  /**
   * The company could not take this request, and certainly moved no money for it. The deposit ends, and the payer may pay again. After
   * a repeated create the cashier takes it as `unknown`, because an earlier try may have succeeded.
   */
  | { readonly kind: 'failed'; readonly code: string }
  /** The company may have the payment. The payer is told not to pay again, and the cashier asks by {@link Provider.inquire}. */
  | { readonly kind: 'unknown'; readonly code: string };

/** A card that paid, as its payer may see it. It never holds the number of the card. */
export interface PaidCard {
  /** The company's own id of the card: the same for every payment by this card. */
  readonly id: string;
  /** @example "Visa" */
  readonly brand: string;
  /** The last four digits. */
  readonly last4: string;
}

/**
 * One fact about a payment, from a callback, an inquiry or a watch. The cashier checks it against the deposit before it books anything.
 * {@link PaymentReport} has the outcome and the amounts.
 */
export interface DepositReport extends PaymentReport {
  /** Our id of the deposit, where the report names it. */
  readonly depositId?: string;
  /** The operator, where the report returns what was sent along. Used only when the report matches no payment. */
  readonly operatorId?: string;
  /** Why, in the company's words. For logs and staff. */
  readonly reason?: string;
  /** With `paid`: the card that paid, where the company can pay out to it. */
  readonly card?: PaidCard;
  /**
   * The money names no deposit, because all deposits share one address. The cashier opens a payment under `depositId`, and staff of
   * the operator with this partner key decide about it. Without `operator`: staff of the only operator.
   */
  readonly unassigned?: { readonly operator?: string };
  /**
   * Names the fact, not the message. Unique per provider and fact. The cashier books each id once. So a duplicate webhook, and an
   * inquiry about the same fact, must have the same id.
   */
  readonly eventId: string;
  /** ISO 8601. For people. Never used for ordering, because reports arrive late, twice and in any order. */
  readonly at: string;
}

/** Where the payer goes next in an on-ramp, or why they cannot. `error` is a code for logs. */
export type ProviderContinueResult = { readonly redirect: string | RedirectForm } | { readonly error: string };

/** Whether the company accepts what the payer typed. `fields` names the refused fields. */
export type ProviderInputResult =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly fields: readonly string[] };

/** A credited payment that the cashier refunds. The cashier refunds whole payments only. */
export interface ProviderRefund {
  /** Our id of the refund. It is the idempotency key at the provider. */
  readonly refundId: string;
  readonly depositId: string;
  readonly providerRef: string;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint;
  readonly currency: string;
}

/** The answer of {@link Provider.refund}. */
export type ProviderRefundResult =
  /**
   * The company makes the refund. `isDone`: the money has left, and the cashier books it. Otherwise the cashier waits for report with
   * the outcome `reversed` and this `refundId`, and also asks again.
   */
  | { readonly kind: 'accepted'; readonly isDone: boolean }
  /** The company certainly never makes this refund. The cashier returns the held amount to the user. */
  | { readonly kind: 'declined'; readonly code: string }
  /** The company may have made the refund. The amount stays held, and the cashier asks again. */
  | { readonly kind: 'unknown'; readonly code: string };

/** A callback as it arrived. Nothing in it is trusted yet. */
export interface RawCallback {
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The exact bytes, over which the signature was made. */
  readonly rawBody: Uint8Array;
  /** When it arrived, in milliseconds since the epoch. */
  readonly receivedAt: number;
}

export type VerifiedCallback =
  /** `messageId` is the company's id of the message. The cashier stores each id once. */
  | { readonly kind: 'verified'; readonly messageId: string }
  /** `reason` is a code for logs. The caller gets 401 without it. */
  | { readonly kind: 'rejected'; readonly reason: string };

export interface Provider {
  /** The folder's name, such as `sandbox`. The catalogue and the address for callbacks (`/providers/<name>/callbacks`) use it. */
  readonly name: string;

  /**
   * Checks what only the running company or database can show, once before the server listens.
   *
   * - Errors: throw only what must stop the start. The message is one line that says what to do.
   * - Time limit: none by the cashier. Return within seconds.
   */
  beforeStart?(): Promise<void>;

  /** Whether the provider has a network of coins. Methods of other networks are not offered. Absent: it has every network. */
  readonly hasNetwork?: (network: string) => boolean;

  /**
   * Creates the payment at the company.
   *
   * - When: after the deposit is committed. Again under the same `depositId` when the widget repeats the request, such as after a
   *   lost answer. Simultaneous calls are possible.
   * - Answer: the same payment for the same `depositId`, with the same `providerRef`.
   * - Errors: answer the company's refusals, and do not throw. A thrown error counts as `unknown`.
   * - Time limit: 15 seconds. Then `signal` aborts, and the outcome is `unknown`.
   * - Unknown outcome: the payer reads that the payment is being checked. The cashier calls `inquire` after 10 s, 30 s, 2 min, 10 min
   *   and 1 h. Then it asks every 6 h for 31 days.
   */
  create(deposit: ProviderDeposit): Promise<ProviderCreateResult>;

  /**
   * Asks the company for the state of a payment.
   *
   * - When: after an unknown outcome, and while a payment is open, because its callback may be lost. Also before a deposit expires, and
   *   a few times after it ended. `providerRef` is absent when the create got no answer: find the payment by `depositId`.
   * - Answer: report of the current state, with the same `eventId` as the callback about that state. `undefined` only when the
   *   company says that it does not know the payment. Ten minutes after the create, `undefined` ends a deposit of unknown outcome as
   *   not submitted.
   * - Errors: throw when the company does not answer.
   * - Time limit: 10 seconds.
   * - Unknown outcome: the cashier changes nothing and asks again. A deposit that would expire stays open up to 10 minutes longer.
   */
  inquire(query: { readonly depositId: string; readonly providerRef?: string }): Promise<DepositReport | undefined>;

  /**
   * Checks the signature and the age of a callback.
   *
   * - When: for every request to the provider's address for callbacks, before anything is stored.
   * - Answer: `verified` only for an authentic message. Compare in constant time. Accept several secrets, so that the secret can be
   *   changed without losing callbacks. Where the company signs each delivery again, refuse a message that is more than five minutes
   *   old by `receivedAt`. Where its retries keep the first signature, accept every age: a refused retry would be lost.
   * - Errors: answer `rejected`, and do not throw.
   * - Time limit: without input or output, as strangers can call it as often as they like. A promise must settle within 2 seconds:
   *   providers in a process of their own answer by one. Without an answer the company gets 503 and sends the callback again.
   */
  verify(callback: RawCallback): VerifiedCallback | Promise<VerifiedCallback>;

  /**
   * Reads a verified callback. It may ask the company for what the callback leaves out.
   *
   * - When: soon after the callback was stored and answered with 202. Again after a failure. Where {@link Provider.withdrawals} exists,
   *   its `read` comes first.
   * - Answer: the report. `undefined` when the callback is about no deposit.
   * - Errors: throw when the body makes no sense or the company does not answer.
   * - Time limit: 10 seconds.
   * - Unknown outcome: the cashier reads the callback again, up to ten times with growing pauses. Then it puts the callback aside and
   *   shows it to staff. The callback is never lost.
   */
  read(rawBody: Uint8Array): DepositReport | undefined | Promise<DepositReport | undefined>;

  /** Finds payments where no company sends callbacks, such as on a chain. */
  readonly watch?: {
    /** Milliseconds between two rounds. */
    readonly idleMs: number;
    /**
     * One round over everything.
     *
     * - When: every `idleMs`, in every process of the server. Take a lease where two processes must not work at once.
     * - Answer: call `report` for each fact. It throws while the database is away: report the same fact with the same `eventId` in a
     *   later round.
     * - Errors: the failure of one part must not stop the others. Log it. A thrown error is logged, and the next round comes later.
     * - Time limit: none by the cashier. A stop of the server cuts a long round off, so a round must be safe to repeat.
     */
    round(report: (one: DepositReport) => Promise<unknown>): Promise<void>;
    /** The same work in parts, such as one part per chain. Parts run side by side, so a slow one delays no other. */
    readonly parts?: readonly {
      readonly name: string;
      /** Milliseconds between two rounds. Absent: `idleMs` of the whole. */
      readonly idleMs?: number;
      round(report: (one: DepositReport) => Promise<unknown>): Promise<void>;
    }[];
  };

  /** The half that pays out (WD-2). Absent: the provider takes deposits only. */
  readonly withdrawals?: WithdrawalProvider;

  /**
   * Cancels an unpaid payment.
   *
   * - When: after the payer cancelled the deposit. Possibly more than once.
   * - Errors: throw when the company does not cancel. The cashier logs the error and does not try again.
   * - Time limit: none by the cashier. End the request within seconds.
   * - Unknown outcome: the deposit stays cancelled. Money that still arrives is kept as a late payment.
   */
  cancel?(query: { readonly depositId: string; readonly providerRef: string }): Promise<void>;

  /**
   * Passes on what the payer typed into the `inputFields` of the create's answer. A provider that asks for fields needs it.
   *
   * - When: after the payer submitted the fields, which the cashier has validated. Again until the provider answers. The newest
   *   values count, and the same values twice change nothing.
   * - Answer: `taken`, or `refused` with the names of the refused fields, which the payer then corrects.
   * - Errors: throw when the company does not answer.
   * - Time limit: 10 seconds.
   * - Unknown outcome: the values stay stored, the payer does not wait, and the cashier calls again later.
   */
  takeInputs?(inputs: {
    readonly depositId: string;
    readonly providerRef: string;
    readonly fields: Readonly<Record<string, string>>;
  }): Promise<ProviderInputResult>;

  /**
   * Refunds a payment to the payer. Absent: deposits of this provider cannot be refunded.
   *
   * - When: after the amount is held on the user's balance. Again under the same `refundId` until the answer is `declined` or done.
   * - Answer: at most one refund per `refundId`, and exactly `amountMinor`. Search for an earlier refund first where the company forgets
   *   idempotency keys.
   * - Errors: answer `declined` only for a refusal of this refund itself. A thrown error counts as `unknown`.
   * - Time limit: 10 seconds.
   * - Unknown outcome: the amount stays held. The cashier asks again after 10 s, 30 s, 2 min, 10 min and 1 h. Then it asks every 6 h
   *   for 31 days. After that the log says so, and the amount still stays held.
   */
  refund?(refund: ProviderRefund): Promise<ProviderRefundResult>;

  /**
   * On-ramp: continues with the offer that the payer chose (DEP-14).
   *
   * - When: after the payer chose an offer of the create's answer. `method` names the offer.
   * - Answer: the seller's page, or `error` where the offer cannot be used.
   * - Errors: a thrown error becomes `provider-unreachable`.
   * - Time limit: none by the cashier. The payer waits, so answer within seconds.
   * - Unknown outcome: no money moves by this call. The payer can choose again.
   */
  continue?(query: {
    readonly depositId: string;
    readonly providerRef: string;
    readonly method?: string;
  }): Promise<ProviderContinueResult>;

  /**
   * A page of the company's own list of transactions. Absent: its transactions are reconciled by files alone.
   *
   * - When: somebody compares some days of a connection with the ledger (docs/reconciliation.md). Again with the same cursor after a lost
   *   answer.
   * - Answer: at most 1,000 transactions and 600,000 characters. The same page for the same cursor. Every transaction of the period once, and
   *   no other. Leave out what moved no money. Report an unknown type as the kind that fits its sign, never drop it.
   * - Errors: throw when the company does not answer, and when a transaction makes no sense. An empty page would say that nothing moved.
   * - Time limit: 15 seconds. Then `signal` aborts.
   * - Unknown outcome: nothing is compared, and no payment counts as missing. The next call goes on at the same cursor.
   */
  list?(query: ListQuery): Promise<ListAnswer>;
}
