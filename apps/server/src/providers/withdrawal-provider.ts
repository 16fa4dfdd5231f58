/** What a provider that also pays out is to the cashier (WD-2). Like a deposit's, it only says what it saw. */
import type { DeclineCause } from '@opencashier/contract/api';

/** A withdrawal as a provider needs to know it. */
export interface ProviderWithdrawal {
  /** Our own id, which is also the idempotency key towards the provider: told twice, it pays once. */
  readonly withdrawalId: string;
  readonly paymentMethod: string;
  /** What the person asked for, in minor units of its balance. */
  readonly amountMinor: bigint;
  /** What is to arrive once the fee is kept, in minor units of `currency`; of a redemption that is not the balance's. */
  readonly receivesMinor: bigint;
  readonly currency: string;
  readonly country: string;
  /** Where it goes: the method's own fields as typed, already validated. */
  readonly fields: Readonly<Record<string, string>>;
  /** What the catalogue's method says to its provider; each provider reads its own words. */
  readonly providerOptions: Readonly<Record<string, string>>;
  /** The widget's language. */
  readonly language: string;
  /** Signalled when the caller no longer waits; the outcome is then unknown. */
  readonly signal: AbortSignal;
}

export type ProviderWithdrawResult =
  | {
      readonly kind: 'accepted';
      /** The provider's own id; unique per provider for ever. */
      readonly providerRef: string;
    }
  /** Refused for good, under this id for ever. `message` is meant for the person where present. */
  | {
      readonly kind: 'declined';
      readonly code: string;
      readonly message?: string;
      /** See {@link WithdrawalEvidence.cause}. */
      readonly cause?: DeclineCause;
    }
  /** The provider is broken and certainly took nothing of this call; it says nothing of an earlier one. */
  | { readonly kind: 'failed'; readonly code: string }
  /** It is not known whether the provider will pay: never treated as failed. */
  | { readonly kind: 'unknown'; readonly code: string };

/** What a provider reports about a withdrawal, from a call-back, an answer to our question, or its answer to the submit. */
export interface WithdrawalEvidence {
  readonly provider: string;
  /** Absent only where a refusal names none. */
  readonly providerRef?: string;
  /** Our id where the report names it. */
  readonly withdrawalId?: string;
  /** `returned`: it was paid, and the money came back, such as from a closed account. */
  readonly outcome: 'pending' | 'paid' | 'declined' | 'returned';
  /** What really arrived, in minor units; needed for `paid` and `returned`. */
  readonly paidMinor?: bigint;
  readonly currency?: string;
  /** For the operator's people; its person never sees it. */
  readonly reason?: string;
  /** Of `declined` and `returned`: what its person can change. Never what a check of risk has found: that would teach how to pass it. */
  readonly cause?: DeclineCause;
  /** Of `declined` and `returned`: the provider's words for its person, in their language. Words for others belong into `reason`. */
  readonly message?: string;
  /** Unique per provider and fact, so that the same report twice moves once. */
  readonly eventId: string;
  /** ISO 8601; for people, never for ordering. */
  readonly at: string;
}

/** The half of a provider that pays out. */
export interface WithdrawalProvider {
  /** Never throws for an answer of the provider; a thrown error means an unknown outcome. */
  withdraw(withdrawal: ProviderWithdrawal): Promise<ProviderWithdrawResult>;
  /** Asks what became of it. `undefined`: the provider does not know it. */
  inquire(query: {
    readonly withdrawalId: string;
    readonly providerRef?: string;
  }): Promise<WithdrawalEvidence | undefined>;
  /** Reads a verified call-back if it is about a withdrawal; `undefined`: it is about something else. Throws like `Provider.read`. */
  read(rawBody: Uint8Array): WithdrawalEvidence | undefined;
}
