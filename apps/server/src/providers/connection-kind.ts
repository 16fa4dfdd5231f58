/**
 * The interface of a provider to which operators have connections: accounts of their own (SRV-4). The kind says which secrets an account
 * needs.
 */
import type { ConnectionMode } from '@opencashier/core/connections/connection-for';
import type { Provider } from './provider.ts';

/** The form of a secret or of an option. Messages name the form, and never the value. */
export interface ValueForm {
  readonly form: RegExp;
  /** What it must be, behind "must be". */
  readonly meaning: string;
}

export interface SecretForm extends ValueForm {
  /** `to-enable`: it is known only after the connection has its address for callbacks. */
  readonly isNeeded: 'to-create' | 'to-enable';
}

/** An operator's account with its opened secrets. Never log it, and never put it into an error. */
export interface OpenedAccount {
  readonly operatorId: string;
  /** The id of the connection. */
  readonly connectionId: string;
  readonly secrets: Readonly<Record<string, string>>;
  /** The secrets before the last change, while callbacks may still be signed with them. */
  readonly oldSecrets?: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, string>>;
}

/** `refused`: the secrets are wrong. `may-not-read`: they are right, but lack a right. `unreachable`: nobody knows. */
export type AccountTestResult = 'accepted' | 'refused' | 'may-not-read' | 'unreachable';

export interface AccountTest {
  readonly result: AccountTestResult;
  /** What it means and what to do. It contains no secret. */
  readonly message: string;
}

/** One movement of the company's own list, with amounts as the operator sees them. */
export interface ListedMovement {
  /** `settlement`: a sum that the company pays to the operator's bank. `fee`: a fee of its own. */
  readonly kind: 'payment' | 'refund' | 'chargeback' | 'payout' | 'return' | 'settlement' | 'fee';
  /** The company's references, the likeliest first. */
  readonly references: readonly string[];
  /** Our id, as the company kept it. */
  readonly ownId?: string | undefined;
  readonly currency: string;
  /** Signed minor units before the fee. */
  readonly amountMinor: bigint;
  /** Minor units that the company keeps. */
  readonly feeMinor: bigint;
  /** The day in UTC: `2026-01-31`. */
  readonly day: string;
}

/** What the list covers, and where it goes on. */
export interface ListAsked {
  /** The first and the last day in UTC, both included. */
  readonly from: string;
  readonly to: string;
  /** `next` of the page before. Absent: the first page. */
  readonly cursor?: string | undefined;
}

/** `unknown`: the company did not answer, so nobody knows what it has. It says nothing about any payment. */
export type ListPage =
  | { readonly kind: 'page'; readonly movements: readonly ListedMovement[]; readonly next?: string | undefined }
  | { readonly kind: 'unknown' | 'refused'; readonly why: string };

export interface ConnectionKind {
  readonly secrets: Readonly<Record<string, SecretForm>>;
  readonly options: Readonly<Record<string, ValueForm>>;
  readonly paysOut: boolean;
  readonly refunds: boolean;
  /** True: the company has a time of its own, so the clock of a sandbox must not be moved. */
  readonly hasOwnTime: boolean;
  /** The mode that the secrets themselves show. Undefined: they show none. */
  modeOf(secrets: Readonly<Record<string, string>>): ConnectionMode | undefined;
  /** Asks the company by a request that moves no money. Never throws, and ends within ten seconds. */
  test(account: OpenedAccount): Promise<AccountTest>;
  /**
   * A page of the company's own list of some days: at most {@link MOST_LISTED} movements, and the same page for the same cursor. Never
   * throws, and ends within 20 seconds. Absent: the company has no such list.
   */
  list?(account: OpenedAccount, asked: ListAsked): Promise<ListPage>;
  /** Whether the list has payouts and what came back of payments and payouts. Absent: nobody knows, so none of them is missing there. */
  readonly listsPayouts?: boolean;
}

/** The most movements of a page. */
export const MOST_LISTED = 1_000;

/** Makes a provider that uses an account. */
export type OpenAccount = (account: OpenedAccount) => Provider;

/** The kinds of this server, by the name of the provider. */
export type ConnectionKinds = ReadonlyMap<string, ConnectionKind>;
